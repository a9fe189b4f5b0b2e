import type { DisputeReason } from '../../contract/dispute-records.ts'

/** Words that tell what a claim is about, in the languages of the shops. The first that fits wins: what is most particular stands first. */
const told: readonly (readonly [DisputeReason, RegExp])[] = [
  ['login', /password|passwort|mot de passe|contraseña|hasło|sign.?in|log.?in|anmeld|threw me out|connexion refus|iniciar sesión|accesso|zalogow/],
  ['region', /region|région|regione|country|in meinem land|mon pays|mi país|mio paese|moim kraju|locked in your|geo.?lock/],
  ['expired', /expired|abgelaufen|expiré|caducad|scadut|wygas|error page|fehlerseite|page d.erreur/],
  ['edition', /edition|édition|edición|edizione|edycj|not what i ordered|nicht das, was|something smaller|extras|wrong (?:game|product)|falsche/],
  ['used', /already (?:been )?(?:used|redeemed|activated|taken)|used already|redeemed|activated by a different|bereits (?:verwendet|eingel|benutzt)|schon (?:eingel|verwendet|benutzt)|déjà (?:été )?(?:utilis|activ)|ya (?:ha sido |fue |está |se ha )?(?:canjead|usad|utilizad)|già (?:riscattat|usat|utilizzat)|(?:już|juz) (?:został |zostal )?(?:wykorzyst|użyt|uzyt)/],
  ['missing', /no key|where is my key|nothing (?:came|arrived)|not (?:received|arrived)|kein(?:en)? (?:key|code|schlüssel)|nichts (?:an)?gekommen|rien reçu|no he recibido|non ho ricevuto|nie dostał|nie otrzymał/],
  ['invalid', /invalid|not valid|does ?n[o']t work|not work|doesn.t know|does not know|ung[üu]ltig|funktioniert nicht|kennt .* nicht|invalide|non valide|ne (?:fonctionne|marche) pas|inválid|no (?:es válid|funciona)|non (?:è valid|valid|funziona)|nieprawidłow|nie działa|character short/],
]

/** What a claim is about, as far as the customer's words tell. */
export function reasonOf(words: string): DisputeReason {
  const text = words.slice(0, 4000).toLowerCase()
  return told.find(([, shape]) => shape.test(text))?.[0] ?? 'other'
}

/** The commonest small words of each language, hardly any of which another one has. */
const small: Readonly<Record<string, readonly string[]>> = {
  en: ['the', 'and', 'is', 'it', 'this', 'not', 'have', 'was', 'my', 'you', 'for', 'that', 'with', 'but', 'been', 'i', 'please'],
  de: ['der', 'die', 'das', 'und', 'ist', 'ich', 'nicht', 'ein', 'habe', 'mit', 'wurde', 'schon', 'auf', 'für', 'bitte', 'den', 'kommt'],
  fr: ['le', 'la', 'les', 'est', 'et', 'je', 'pas', 'un', 'une', 'que', 'déjà', 'mon', 'vous', 'pour', 'ce', 'ne', 'des'],
  es: ['el', 'los', 'es', 'y', 'no', 'que', 'ya', 'mi', 'por', 'una', 'ha', 'lo', 'yo', 'con', 'está', 'se', 'me'],
  it: ['il', 'che', 'è', 'non', 'di', 'ho', 'già', 'mio', 'una', 'per', 'gli', 'sono', 'della', 'mi', 'questo', 'risulta', 'appena'],
  pl: ['nie', 'jest', 'się', 'że', 'na', 'to', 'już', 'został', 'mój', 'kod', 'do', 'mi', 'jak', 'proszę', 'przed', 'w', 'z'],
}

/** Language of a text as ISO 639-1; null when it doesn't show. Scripts that one language has tell it by themselves. */
export function languageOf(words: string): string | null {
  const text = words.slice(0, 4000).toLowerCase()
  if (/[\u0400-\u04ff]{3}/.test(text)) return /[іїєґ]/.test(text) ? 'uk' : 'ru'
  if (/[\u3040-\u30ff]{2}/.test(text)) return 'ja'
  if (/[\u4e00-\u9fff]{2}/.test(text)) return 'zh'
  if (/[\u0600-\u06ff]{3}/.test(text)) return 'ar'
  const spoken = new Set(text.split(/[^\p{L}]+/u))
  const found = Object.entries(small).map(([language, list]) => ({ language, hits: list.filter((word) => spoken.has(word)).length })).toSorted((a, b) => b.hits - a.hits)
  const [first, second] = found
  return first === undefined || first.hits < 2 || first.hits === second?.hits ? null : first.language
}
