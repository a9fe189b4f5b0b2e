import { expect, test } from 'vitest'
import { nameLook } from './name-cell.tsx'

test('clips a name unless it surely fits, and always clips it next to a tag', () => {
  const free = nameLook({ name: 'Tide', detail: 'Steam · Global' }, 400)
  const gives = nameLook({ name: 'W'.repeat(40), detail: 'Steam · Global' }, 400)
  expect(gives).not.toBe(free)
  expect(nameLook({ name: '夜'.repeat(20), detail: 'Steam · Global' }, 400)).toBe(gives)
  expect(nameLook({ name: '夜'.repeat(19), detail: 'Steam · Global' }, 400)).toBe(free)
  expect(nameLook({ name: 'Tide', detail: 'Steam · Global', after: 'Refused' }, 400)).toBe(gives)
})
