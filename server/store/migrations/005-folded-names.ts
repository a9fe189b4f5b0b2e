import type { Migration } from './migration.ts'

/** Refolds names, because the folding rule changed. */
export const foldedNames: Migration = {
  version: 5,
  name: 'folded-names',
  sql: 'UPDATE products SET name_folded = fold_case(name)',
}
