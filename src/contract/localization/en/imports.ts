/** Messages about imports of keys. */
export const importMessages = {
  'imports.added': '{added, number} of {keys, plural, one {# key} other {# keys}} added',
  'imports.added-not-sent':
    '{added, number} of {keys, plural, one {# key} other {# keys}} added, {unsent, number} not sent',
  'imports.added-sentence': '{added, number} of {keys, plural, one {# key} other {# keys}} added.',
  'imports.done': '{added, plural, one {# key} other {# keys}} uploaded',
  'imports.keys-uploaded': 'Keys uploaded',
  'imports.needs-attention': 'Import needs your attention',
  'imports.undo-result':
    '{withdrawn, plural, one {# key} other {# keys}} of {offer} {withdrawn, plural, one {is} other {are}} in the vault, {returned, plural, one {# other was} other {# others were}} uploaded again',
  'imports.undone': 'Import undone',
  'imports.upload-canceled': 'Key upload canceled',
} as const
