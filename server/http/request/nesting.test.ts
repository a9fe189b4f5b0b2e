import { expect, it } from 'vitest'
import { nestsDeeper } from './nesting.ts'

const deeper = (text: string, levels: number) => nestsDeeper(Buffer.from(text), levels)

it('counts nested brackets, not adjacent ones', () => {
  expect(deeper('[[1],{"a":[]}]', 2)).toBe(true)
  expect(deeper('[[1],{"a":[]}]', 3)).toBe(false)
  expect(deeper(`[${'[{}],'.repeat(1000)}1]`, 3)).toBe(false)
})

it('ignores brackets in strings', () => {
  expect(deeper(String.raw`{"[[[[":"\"[[[[\\","b":"{{{{"}`, 1)).toBe(false)
  expect(deeper(String.raw`{"a":"\\","b":[[]]}`, 2)).toBe(true)
})
