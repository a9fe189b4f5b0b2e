import { expect, it } from 'vitest'
import { nestsDeeper } from './nesting.ts'

const deeper = (text: string, levels: number) => nestsDeeper(Buffer.from(text), levels)

it('counts what stands in each other, not beside', () => {
  expect(deeper('[[1],{"a":[]}]', 2)).toBe(true)
  expect(deeper('[[1],{"a":[]}]', 3)).toBe(false)
  expect(deeper(`[${'[{}],'.repeat(1000)}1]`, 3)).toBe(false)
})

it('takes no bracket in a text for one', () => {
  expect(deeper(String.raw`{"[[[[":"\"[[[[\\","b":"{{{{"}`, 1)).toBe(false)
  expect(deeper(String.raw`{"a":"\\","b":[[]]}`, 2)).toBe(true)
})
