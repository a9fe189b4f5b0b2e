import type { DisputeReason } from '../../../contract/dispute-records.ts'

/**
 * Keywords that show the reason of a dispute, in the languages of the shops. The first match wins,
 * so the most specific come first.
 */
const told: readonly (readonly [DisputeReason, RegExp])[] = [
  [
    'login',
    /password|passwort|mot de passe|contrasena|haslo|sign.?in|log.?in|anmeld|threw me out|konto geflogen|connexion refus|iniciar sesion|cuenta me ha echado|account mi ha|wyrzucilo mnie/,
  ],
  [
    'region',
    /region|country|in meinem land|mon pays|mi pais|mio paese|moim kraju|locked in your|geo.?lock/,
  ],
  [
    'expired',
    /expire|abgelaufen|caducad|scadut|wygas|error page|fehlerseite|page d.erreur|(?:link|lien|enlace) .*(?:erreur|error|fehler|blad)/,
  ],
  [
    'edition',
    /edition|edicion|edizione|edycj|not what i ordered|nicht das, was|something smaller|extras|wrong (?:game|product)|falsche|manque le contenu|falta el contenido|mancano i contenuti|brakuje/,
  ],
  [
    'used',
    /already (?:been )?(?:used|redeemed|activated|taken)|used already|redeemed|activated by a different|(?:bereits|schon) (?:verwendet|eingel|benutzt)|deja (?:ete )?(?:utilis|activ)|ya (?:ha sido |fue |esta |se ha )?(?:canjead|usad|utilizad)|gia (?:stato |stata )?(?:riscattat|usat|utilizzat)|juz (?:zostal )?(?:wykorzyst|uzyt|aktywowan)/,
  ],
  [
    'missing',
    /no key|where is my key|nothing (?:came|arrived)|not (?:received|arrived)|kein(?:en)? (?:key|code|schlussel)|nichts (?:an)?gekommen|rien recu|no he recibido|non ho ricevuto|nie dostal|nie otrzymal/,
  ],
  [
    'invalid',
    /invalid|not valid|does ?n[o']t work|not work|doesn.t know|does not know|ungultig|funktioniert nicht|kennt .* nicht|non valide|ne (?:fonctionne|marche|reconnait) pas|no (?:es )?valid|no (?:funciona|reconoce)|non (?:e )?valid|non (?:funziona|viene riconosciut)|nieprawidlow|nie (?:dziala|zna)|character short/,
  ],
]
const plain = (words: string): string =>
  words
    .slice(0, 4000)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')

/** The reason of a dispute, as far as the customer's text shows it. */
export function reasonOf(words: string): DisputeReason {
  const text = plain(words)
  return told.find(([, shape]) => shape.test(text))?.[0] ?? 'other'
}

/** The most frequent short words of each language, few of which occur in another one. */
const small: Readonly<Record<string, readonly string[]>> = {
  en: [
    'the',
    'and',
    'is',
    'it',
    'this',
    'not',
    'have',
    'was',
    'my',
    'you',
    'for',
    'that',
    'with',
    'but',
    'been',
    'i',
    'please',
    'are',
    'your',
    'on',
    'wrong',
    'to',
    'an',
  ],
  de: [
    'der',
    'die',
    'das',
    'und',
    'ist',
    'ich',
    'nicht',
    'ein',
    'habe',
    'mit',
    'wurde',
    'schon',
    'auf',
    'für',
    'bitte',
    'den',
    'kommt',
    'bei',
    'sich',
    'nichts',
    'meinem',
    'land',
    'aus',
    'davon',
  ],
  fr: [
    'le',
    'les',
    'est',
    'et',
    'je',
    'pas',
    'un',
    'une',
    'que',
    'déjà',
    'mon',
    'vous',
    'pour',
    'ce',
    'ne',
    'des',
    'j',
    'ai',
    'à',
    'de',
    'du',
    'dit',
    'on',
    'clé',
    'été',
    'm',
    'n',
    'mot',
    'compte',
    'dans',
    'chaque',
    'code',
    'lien',
    'il',
  ],
  es: [
    'el',
    'los',
    'es',
    'y',
    'que',
    'ya',
    'mi',
    'por',
    'una',
    'ha',
    'lo',
    'yo',
    'con',
    'está',
    'se',
    'me',
    'la',
    'de',
    'código',
    'cuenta',
    'enlace',
    'da',
    'le',
    'falta',
    'no',
  ],
  it: [
    'il',
    'che',
    'è',
    'non',
    'di',
    'ho',
    'già',
    'mio',
    'una',
    'per',
    'gli',
    'sono',
    'della',
    'mi',
    'questo',
    'risulta',
    'appena',
    'codice',
    'più',
    'dell',
    'un',
    'dopo',
    'i',
    'contenuti',
    'ha',
    'l',
    'volte',
  ],
  pl: [
    'nie',
    'jest',
    'się',
    'że',
    'na',
    'to',
    'już',
    'został',
    'mój',
    'kod',
    'do',
    'mi',
    'jak',
    'proszę',
    'przed',
    'w',
    'z',
    'każdy',
    'tego',
    'kodu',
    'klucz',
    'przy',
    'nic',
    'raz',
    'go',
    'dodatków',
    'brakuje',
    'pokazuje',
    'błąd',
  ],
}

/**
 * Language of a text as ISO 639-1; null if it can't be detected. A script that only one language
 * uses is enough.
 */
export function languageOf(words: string): string | null {
  const text = words.slice(0, 4000).toLowerCase()
  if (/[\u0400-\u04ff]{3}/.test(text)) return /[іїєґ]/.test(text) ? 'uk' : 'ru'
  if (/[\u3040-\u30ff]{2}/.test(text)) return 'ja'
  if (/[\u4e00-\u9fff]{2}/.test(text)) return 'zh'
  if (/[\u0600-\u06ff]{3}/.test(text)) return 'ar'
  const spoken = new Set(text.split(/[^\p{L}]+/u))
  const found = Object.entries(small)
    .map(([language, list]) => ({ language, hits: list.filter((word) => spoken.has(word)).length }))
    .toSorted((a, b) => b.hits - a.hits)
  const [first, second] = found
  return first === undefined || first.hits < 2 || first.hits === second?.hits
    ? null
    : first.language
}
