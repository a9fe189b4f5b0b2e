/** Messages about backups. Times are formatted in UTC where they are made. */
export const backupMessages = {
  'backup.canceled': 'Restore canceled',
  'backup.contents':
    '{files, plural, one {# file} other {# files}}, {bytes, plural, one {# byte} other {# bytes}}, encrypted',
  'backup.created': 'Backup created',
  'backup.from': 'Backup from {madeAt}',
  'backup.replaced-data': '{name}',
  'backup.replaced-data-deleted': 'Replaced data deleted',
  'backup.restored': 'Backup restored',
  'backup.restored-from': 'From {madeAt}; the previous data is in {folder}',
  'backup.scheduled': 'Restore scheduled for the next start',
} as const
