import type { Refusal } from '../../../../contract/app/updates.ts'

/** Why an update was rejected, in one plain sentence. */
export const refusalText: Record<Refusal, string> = {
  'not-a-manifest': 'The server’s answer isn’t a valid description of an update.',
  'unknown-key': 'It’s signed with a key that Keydesk doesn’t know.',
  'wrong-signature': 'Its signature is wrong: it was changed, or it isn’t the owner’s.',
  'other-product': 'It’s for another program.',
  expired: 'Its description has expired, so a newer one may be withheld.',
  'from-the-future': 'It’s dated in the future. Check this computer’s clock.',
  replayed: 'The server sent an earlier description again.',
  'older-version': 'It leads to an older version.',
  'below-floor': 'It leads to a version that was withdrawn.',
  'floor-lowered': 'It allows versions that were withdrawn.',
  'wrong-size': 'The file isn’t as long as its description says.',
  'wrong-file': 'The file isn’t the one that was signed.',
  'unsafe-folder': 'The folder for downloads isn’t yours alone.',
  'not-encrypted': 'The server’s address isn’t encrypted.',
  redirected: 'The server sent Keydesk to another address.',
  'too-large': 'The server sent more than the update contains.',
  'cut-off': 'The download ended too early.',
}
