import { expect, test, vi } from 'vitest'
import { fileOf, saveText } from './save-file.ts'

test('saves a text of several megabytes as UTF-8 with a byte order mark', async () => {
  const saved: Blob[] = []
  const click = vi.fn<() => void>()
  vi.stubGlobal('document', { createElement: () => ({ click }) })
  vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    saved.push(content as Blob)
    return 'blob:saved'
  })
  vi.useFakeTimers()
  try {
    const text = 'Prénom,€\n'.repeat(400_000)
    saveText('sales.csv', text)
    const bytes = new Uint8Array((await saved[0]?.arrayBuffer()) ?? new ArrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(new TextDecoder().decode(bytes)).toBe(text)
    expect(click).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

test('joins a file that arrives in parts, with the facts of its last part', async () => {
  async function* parts() {
    yield { fileName: 'sales.csv', sales: 1, text: 'Sold,€\n' }
    yield { fileName: 'sales.csv', sales: 2, text: 'Prénom,4\n' }
  }
  const { facts, content } = await fileOf(parts())
  expect(facts).toMatchObject({ fileName: 'sales.csv', sales: 2 })
  expect(await content.text()).toBe('Sold,€\nPrénom,4\n')
})
