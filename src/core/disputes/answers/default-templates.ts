import type { DisputeTemplate } from '../../../contract/disputes/dispute-records.ts'

/** Default templates, which people can change, remove or add to. */
export const defaultTemplates: readonly DisputeTemplate[] = [
  {
    templateId: 'new-key',
    outcome: 'replace-stock',
    name: 'New key on its way',
    reasons: ['used', 'invalid', 'expired', 'missing'],
    bodies: {
      en:
        'Sorry about that. We checked the key and are sending you a new one for ' +
        '{product}. Please use it within {days} days and tell us if anything is unclear.',
      de:
        'Das tut uns leid. Wir haben den Key geprüft und schicken Ihnen einen neuen für ' +
        '{product}. Bitte lösen Sie ihn innerhalb von {days} Tagen ein und melden Sie ' +
        'sich, wenn etwas unklar ist.',
      fr:
        'Nous sommes désolés. Nous avons vérifié la clé et vous en envoyons une ' +
        'nouvelle pour {product}. Merci de l’utiliser sous {days} jours et de nous ' +
        'écrire au besoin.',
      es:
        'Lo sentimos. Hemos comprobado la clave y te enviamos una nueva para {product}. ' +
        'Úsala en un plazo de {days} días y escríbenos si algo no queda claro.',
      it:
        'Ci dispiace. Abbiamo controllato la chiave e ne inviamo una nuova per ' +
        '{product}. Usala entro {days} giorni e scrivici se qualcosa non è chiaro.',
      pl:
        'Przepraszamy. Sprawdziliśmy klucz i wysyłamy nowy do {product}. Prosimy użyć ' +
        'go w ciągu {days} dni i napisać, jeśli coś jest niejasne.',
    },
  },
  {
    templateId: 'screenshot',
    outcome: 'reply',
    name: 'Ask for a screenshot',
    reasons: ['used', 'invalid', 'login', 'other', 'expired'],
    bodies: {
      en:
        'Could you send us a screenshot of the complete window with the message, and ' +
        'tell us when you tried? Then we can settle order {order} right away.',
      de:
        'Können Sie uns einen Screenshot des ganzen Fensters mit der Meldung schicken, ' +
        'und wann Sie es versucht haben? Dann klären wir Bestellung {order} sofort.',
      fr:
        'Pourriez-vous nous envoyer une capture de toute la fenêtre avec le message, et ' +
        'l’heure de l’essai ? Nous réglerons alors tout de suite la commande {order}.',
      es:
        '¿Puedes enviarnos una captura de toda la ventana con el mensaje y la hora en ' +
        'que lo intentaste? Así resolvemos enseguida el pedido {order}.',
      it:
        'Puoi inviarci una schermata dell’intera finestra con il messaggio e l’ora del ' +
        'tentativo? Così risolviamo subito l’ordine {order}.',
      pl:
        'Czy możesz przesłać zrzut całego okna z komunikatem i godzinę próby? Wtedy od ' +
        'razu załatwimy zamówienie {order}.',
    },
  },
  {
    templateId: 'region',
    outcome: 'reply',
    name: 'Check the region',
    reasons: ['region', 'invalid'],
    bodies: {
      en:
        '{product} is activated on {platform}. Which country is your account from, and ' +
        'are you connected there without a VPN? The product page lists where it can be ' +
        'activated.',
      de:
        '{product} wird auf {platform} aktiviert. Aus welchem Land ist Ihr Konto, und ' +
        'sind Sie dort ohne VPN verbunden? Auf der Produktseite steht, wo es aktiviert ' +
        'werden kann.',
      fr:
        '{product} s’active sur {platform}. De quel pays est votre compte, et êtes-vous ' +
        'connecté sans VPN ? La page du produit indique où il peut être activé.',
      es:
        '{product} se activa en {platform}. ¿De qué país es tu cuenta y te conectas sin ' +
        'VPN? La página del producto indica dónde se puede activar.',
      it:
        '{product} si attiva su {platform}. Di quale paese è il tuo account, e sei ' +
        'connesso senza VPN? La pagina del prodotto elenca dove si può attivare.',
      pl:
        '{product} aktywuje się na {platform}. Z jakiego kraju jest konto i czy łączysz ' +
        'się bez VPN? Na stronie produktu podano, gdzie można go aktywować.',
    },
  },
  {
    templateId: 'edition',
    outcome: 'reply',
    name: 'Check the order',
    reasons: ['edition'],
    bodies: {
      en:
        'Order {order} was for {product}. Please tell us what is missing and send a ' +
        'screenshot of what you see after activating it.',
      de:
        'Bestellung {order} war für {product}. Bitte schreiben Sie uns, was fehlt, und ' +
        'schicken Sie einen Screenshot nach der Aktivierung.',
      fr:
        'La commande {order} portait sur {product}. Dites-nous ce qui manque et envoyez ' +
        'une capture de ce que vous voyez après l’activation.',
      es: 'El pedido {order} era de {product}. Dinos qué falta y envíanos una captura de lo que ves tras activarlo.',
      it:
        'L’ordine {order} era per {product}. Dicci che cosa manca e invia una schermata ' +
        'di ciò che vedi dopo l’attivazione.',
      pl: 'Zamówienie {order} dotyczyło {product}. Napisz, czego brakuje, i prześlij zrzut ekranu po aktywacji.',
    },
  },
  {
    templateId: 'login',
    outcome: 'reply',
    name: 'Account: how to sign in',
    reasons: ['login'],
    bodies: {
      en:
        'Please sign in with exactly what you received, without spaces at the start or ' +
        'end, and don’t change anything before you’re signed in. If you need a code, ' +
        'write to us here: we’ll send it within minutes.',
      de:
        'Bitte melden Sie sich genau mit den erhaltenen Daten an, ohne Leerzeichen an ' +
        'den Enden, und ändern Sie vorher nichts. Wird ein Code verlangt, schreiben Sie ' +
        'uns hier: Er kommt in wenigen Minuten.',
      fr:
        'Connectez-vous exactement avec ce que vous avez reçu, sans espaces aux ' +
        'extrémités. Si un code est demandé, écrivez-nous ici : nous l’envoyons en ' +
        'quelques minutes.',
      es:
        'Inicia sesión exactamente con lo que recibiste, sin espacios en los extremos. ' +
        'Si se pide un código, escríbenos aquí: lo enviamos en unos minutos.',
      it:
        'Accedi esattamente con i dati ricevuti, senza spazi alle estremità. Se viene ' +
        'chiesto un codice, scrivici qui: lo inviamo in pochi minuti.',
      pl:
        'Zaloguj się dokładnie otrzymanymi danymi, bez spacji na końcach. Jeśli ' +
        'potrzebny jest kod, napisz tutaj: wyślemy go w kilka minut.',
    },
  },
  {
    templateId: 'refund',
    outcome: 'refund',
    name: 'Refund',
    reasons: [],
    bodies: {
      en:
        'We’re refunding you for {product}. The money goes back to the payment method ' +
        'you used; the shop will notify you when it arrives.',
      de:
        'Wir erstatten Ihnen {product}. Das Geld geht den Weg zurück, auf dem Sie ' +
        'bezahlt haben; der Shop meldet sich, sobald es da ist.',
      fr:
        'Nous vous remboursons {product}. L’argent revient par votre moyen de paiement ' +
        '; la boutique vous préviendra.',
      es: 'Te devolvemos el importe de {product}. El dinero vuelve por el mismo medio de pago; la tienda te avisará.',
      it: 'Ti rimborsiamo {product}. Il denaro torna con lo stesso mezzo di pagamento; il negozio ti avviserà.',
      pl: 'Zwracamy pieniądze za {product}. Wrócą tą samą drogą, którą zapłacono; sklep da znać.',
    },
  },
]
