/** Messages about an account's local files. */
export const mirrorMessages = {
  'mirror.catalogue-damaged': 'The catalogue’s local database was damaged',
  'mirror.database-carried': `{carried, plural, one {# record} other {# records}} carried over, \
{accounts, plural, one {# account} other {# accounts}} from the safety copy. Not fully readable: {tables}. The \
damaged file: {kept}.`,
  'mirror.database-repaired': 'The database was repaired',
  'mirror.journal-damaged': 'The account’s journal was damaged',
  'mirror.journal-incomplete': `{carried, plural, one {# record} other {# records}} carried over. \
Not fully readable: {tables}. The damaged file is saved in the same folder.`,
  'mirror.journal-intact':
    '{carried, plural, one {# record} other {# records}} carried over. Nothing was lost.',
  'mirror.journal-incomplete-kept': `{carried, plural, one {# record} other {# records}} carried over. \
Not fully readable: {tables}. The damaged file is kept as {kept} in the data folder.`,
  'mirror.journal-intact-kept': `{carried, plural, one {# record} other {# records}} carried over. \
Nothing was lost. The damaged file is kept as {kept} in the data folder.`,
  'mirror.mirror-damaged': 'The account’s local database was damaged',
  'mirror.syncing-again-kept': `Keydesk is syncing it again from the service. Keys, imports and orders \
are intact. Price histories start over. The damaged file is kept as {kept} in the data folder.`,
  'mirror.syncing-again':
    'Keydesk is syncing it again from the service. Keys, imports and orders are intact. Price histories start over.',
} as const
