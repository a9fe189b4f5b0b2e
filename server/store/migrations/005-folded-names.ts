import type { Migration } from './migration.ts'

/** Names are compared by another form than before. */
export const foldedNames: Migration = {
  version: 5,
  name: 'folded-names',
  sql: 'UPDATE products SET name_folded = fold_case(name)',
}
