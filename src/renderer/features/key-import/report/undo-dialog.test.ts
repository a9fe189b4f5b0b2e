import { expect, test } from 'vitest'
import { undoEffects } from './undo-dialog.tsx'

const textsOf = (stock: number, mine: number): string[] =>
  undoEffects({ stock, safe: true }, mine, 0).map(({ what }) => what)

test('mentions the keys of other imports only if the offer has some', () => {
  expect(textsOf(25, 25)).toEqual(['The offer is paused', 'All 25 keys move into the vault'])
  expect(textsOf(26, 25)).toContain('1 other key is uploaded again')
})
