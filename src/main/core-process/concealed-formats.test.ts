import { expect, test } from 'vitest'
import { writeConcealed } from './concealed-formats.ts'

test.each([
  ['darwin', ['org.nspasteboard.ConcealedType']],
  [
    'win32',
    [
      'ExcludeClipboardContentFromMonitorProcessing',
      'CanIncludeInClipboardHistory',
      'CanUploadToCloudClipboard',
    ],
  ],
  ['linux', ['x-kde-passwordManagerHint']],
] as const)(
  'marks a secret for clipboard managers of %s, in one write',
  async (platform, names) => {
    const written: Record<string, string>[] = []
    const clipboard = {
      write: async (formats: Record<string, string>) => void written.push(formats),
      writeText: () => Promise.reject(new Error('not needed')),
    }
    await writeConcealed(clipboard, 'a key', platform)
    expect(written.map((each) => Object.keys(each))).toEqual([
      ['text/plain', ...names.map((name) => `electron application/osclipboard;format="${name}"`)],
    ])
    expect(written[0]?.['text/plain']).toBe('a key')
  },
)

test('copies the text alone when the clipboard rejects the marks, and fails when it rejects that too', async () => {
  let copied = ''
  const write = () => Promise.reject(new Error('unknown format'))
  const writeText = async (text: string) => {
    copied = text
  }
  await writeConcealed({ write, writeText }, 'a key', 'linux')
  expect(copied).toBe('a key')
  await expect(writeConcealed({ write, writeText: write }, 'a key', 'linux')).rejects.toThrow(
    'unknown format',
  )
})
