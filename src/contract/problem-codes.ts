import { errorCodes } from '../../server/api/errors.ts'

/** The vault has to be opened or repaired first. */
const vaultCodes = ['VAULT_LOCKED', 'VAULT_UNSET', 'VAULT_DAMAGED', 'VAULT_KEY_LOST'] as const

/**
 * Keydesk's own codes. Data folders contain them: before you rename or merge codes, check where
 * problems are stored. Keydesk also creates problems with codes of the service, such as NOT_FOUND.
 */
const keydeskCodes = [
  // Any feature
  'INVALID_INPUT',
  /** The current state doesn't allow the action: it is already running, finished or taken. */
  'CONFLICT',
  /** The service's data is no longer what the person saw, so nothing was sent. */
  'CHANGED_MEANWHILE',
  'CANCELLED',
  /** An unexpected error in Keydesk. */
  'INTERNAL',
  /** The API can't do it: a person does it outside Keydesk. */
  'BY_HAND',
  /** Written by another version or service; `originalCode` has its code. */
  'UNKNOWN_CODE',

  // Service connection
  'OFFLINE',
  /** The request was sent, but no response arrived. */
  'ANSWER_LOST',
  /** A response arrived that the service can't have sent. */
  'BAD_ANSWER',

  // Page: no response from Keydesk's own background process
  'NO_ANSWER',

  // Accounts, keychain and vault
  /** This computer doesn't have the account's API key. */
  'KEY_MISSING',
  /** The keychain doesn't respond or rejected the key. */
  'KEYCHAIN_MISSING',
  ...vaultCodes,
  'WRONG_PASSPHRASE',
  /** The next passphrase is checked only after a wait. */
  'TOO_MANY_ATTEMPTS',
  /** The action needs a second proof; `details` has the challenge to answer. */
  'PROOF_NEEDED',
  /** A chosen passphrase is easy to guess. */
  'WEAK_PASSPHRASE',
  /** An export would contain no keys. */
  'NOTHING_KEPT',

  // Data folder and backups
  'DISK_FULL',
  /** A newer version of Keydesk wrote the data. */
  'NEWER_DATA',
  'BACKUP_DAMAGED',
  /** The end of a backup file is missing. */
  'BACKUP_CUT_OFF',
  /** A copy of the data is open for reading only. */
  'READ_ONLY',

  // Sandbox
  'SANDBOX_STOPPED',
  'SANDBOX_FAILED',
  /** A world file that can't be opened. */
  'WORLD_FILE',
  /** The account isn't one of the sandbox on this computer. */
  'NOT_A_SANDBOX',

  // Orders and claims
  /** An order with this reference is already being placed. */
  'ATTEMPT_OPEN',
  /** The response was lost, and the service doesn't have the order or claim. */
  'NEVER_ARRIVED',
  /** The service has no keys for the order yet. */
  'NO_KEYS',

  // Offers and price watch
  /** Keydesk stopped or lost the response, and the service doesn’t show the change. */
  'NOT_SAVED',
  /** The product is already offered at another price. */
  'OFFERED_ALREADY',
  /** The name that confirms auto-apply wasn't typed. */
  'NOT_CONFIRMED',
  /** A person stopped the sending of prices. */
  'STOPPED',

  // Disputes
  /** The response was lost, and the service doesn't have the answer or action. */
  'NOT_SENT',
  /** The replacement can't be sent as a key. */
  'BAD_KEY',
  'BAD_ATTACHMENT',

  // Imports: receiving files
  'FILE_TOO_LARGE',
  'FILE_INCOMPLETE',
  'FILE_COMPLETE',
  'CHUNK_TOO_LONG',
  'WRONG_OFFSET',

  // Imports: reading files
  'FILE_CHANGED',
  'FILE_UNREADABLE',
  'FILE_TOO_DEMANDING',
  /** The encrypted copy of a file or of its results can't be read. */
  'SPOOL_DAMAGED',
  'EMPTY_FILE',
  'NOT_TEXT',
  'TOO_MANY_LINES',
  'ARCHIVE_DAMAGED',
  'PASSWORD_NEEDED',
  'WORKBOOK_REFUSED',
  'WORKBOOK_TOO_LARGE',
  'WORKBOOK_TOO_SLOW',

  // Imports: uploading keys
  'FILE_NOT_CHECKED',
  /** No line is ready to upload. */
  'NOTHING_READY',
  /** The upload has already started. */
  'NOT_A_DRAFT',
  /** The upload hasn't started. */
  'NOT_STARTED',
  'UPLOAD_RUNNING',
  /** The response was lost, and the offer's stock doesn't show whether its keys arrived. */
  'UPLOAD_UNCLEAR',
] as const

/** Every code that a problem can have: the service's, then Keydesk's own. */
export const problemCodes = [...errorCodes, ...keydeskCodes]
export type ProblemCode = (typeof problemCodes)[number]

const knownCodes: ReadonlySet<string> = new Set(problemCodes)
export const isProblemCode = (code: string): code is ProblemCode => knownCodes.has(code)

const ofVault: ReadonlySet<ProblemCode> = new Set(vaultCodes)
/** Whether the vault has to be opened or repaired first. */
export const isVaultCode = (code: ProblemCode): boolean => ofVault.has(code)
