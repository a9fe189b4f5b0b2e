import type { FileSettings } from '../../../contract/keys/import-records.ts'
import { viewFile } from '../view/file-view.ts'
import { classifyFiles } from './classify-files.ts'

/** Everything that the page receives about one file and its lines, as text. */
export async function viewOf(
  folder: string,
  name: string,
  text: string,
  fixed: Partial<FileSettings> = {},
): Promise<{ view: ReturnType<typeof viewFile>; all: string }> {
  const { files, problems } = await classifyFiles(folder, [
    { name, bytes: Buffer.from(text), offerId: null, fixed },
  ])
  const [file] = files
  const view = viewFile({
    row: {
      file_id: 'f0',
      import_number: 1,
      position: 0,
      name,
      size: text.length,
      received: text.length,
      state: 'checked',
      problem: null,
      offer_id: null,
      revision: 1,
      lines: file?.read?.lines ?? 0,
      choices: null,
      result: null,
    },
    received: text.length,
    result: file?.read == null ? null : { read: file.read, targets: file.targets },
    choices: null,
    offers: new Map(),
    offered: () => [],
  })
  return { view, all: JSON.stringify({ view, problems }) }
}
