import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldCase } from './fold-case.ts'

it('folds Latin titles like parts of other texts', () => {
  const title = fc.string({ unit: fc.constantFrom(...'azAZ09 –-~\'"&Ii'), maxLength: 40 })
  fc.assert(
    fc.property(title, (text) => {
      expect(foldCase(`${text}ß`)).toBe(`${foldCase(text)}ss`)
    }),
  )
})
