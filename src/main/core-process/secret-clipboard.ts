import { ClipboardItem, clipboard } from 'electron'
import { concealedFormats } from './concealed-formats.ts'

/** Writes a secret, or clears the clipboard if it still holds it. False when the system refused. */
export async function actOnClipboard(act: 'write' | 'clear-if', text: string): Promise<boolean> {
  try {
    if (act === 'write') await clipboard.write([concealed(text)])
    else if ((await clipboard.readText()) === text) clipboard.clear()
    return true
  } catch {
    return false
  }
}

function concealed(text: string): ClipboardItem {
  const formats = Object.entries(concealedFormats(process.platform)).map(([name, value]) => [
    `electron application/osclipboard;format="${name}"`,
    value,
  ])
  return new ClipboardItem({ 'text/plain': text, ...Object.fromEntries(formats) })
}
