import { ClipboardItem, clipboard } from 'electron'
import { writeConcealed } from './concealed-formats.ts'

const writer = {
  write: async (formats: Record<string, string>) => clipboard.write([new ClipboardItem(formats)]),
  writeText: (text: string) => clipboard.writeText(text),
}

/** Writes a secret, or clears the clipboard if it still holds it. False when the system refused. */
export async function actOnClipboard(act: 'write' | 'clear-if', text: string): Promise<boolean> {
  try {
    if (act === 'write') await writeConcealed(writer, text, process.platform)
    else if ((await clipboard.readText()) === text) clipboard.clear()
    return true
  } catch {
    return false
  }
}
