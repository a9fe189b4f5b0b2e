import { toast } from '../../../ui/feedback/toasts.tsx'

/** Hidden files that operating systems leave in folders. */
const left = /^(?:\.|Thumbs\.db$|desktop\.ini$)/i
const MOST_FILES = 20_000

const folders = new WeakMap<File, string>()
/** The folder that contained a file. */
export const folderOf = (file: File): string =>
  folders.get(file) ?? file.webkitRelativePath.split('/').slice(0, -1).join('/')

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))
/** All entries of a folder; the browser returns them in pages of a hundred. */
async function entriesOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}

/**
 * The files of an entry, including nested folders. Entries that can't be opened are added to
 * `closed`, and the others are still read.
 */
async function walk(
  entry: FileSystemEntry,
  folder: string,
  files: File[],
  closed: string[],
): Promise<void> {
  if (files.length >= MOST_FILES || (folder !== '' && left.test(entry.name))) return
  try {
    if (entry.isFile) {
      const file = await fileOf(entry as FileSystemFileEntry)
      folders.set(file, folder)
      files.push(file)
      return
    }
    for (const inside of await entriesOf(entry as FileSystemDirectoryEntry))
      await walk(inside, folder === '' ? entry.name : `${folder}/${entry.name}`, files, closed)
  } catch {
    closed.push(entry.name)
  }
}

/**
 * The files of a drop event or a file input, including those in folders. While dragging, returns
 * the dragged items.
 */
export async function filesOf(event: unknown): Promise<(File | DataTransferItem)[]> {
  if (!(event instanceof Object)) return []
  const { type, dataTransfer, target } = event as {
    type?: string
    dataTransfer?: DataTransfer | null
    target?: EventTarget | null
  }
  if (dataTransfer == null) return target instanceof HTMLInputElement ? chosenFiles(target) : []
  if (type !== 'drop') return [...dataTransfer.items].filter(({ kind }) => kind === 'file')
  // The browser clears the items after the event, so the entries are taken before the first await.
  const entries = [...dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...dataTransfer.files]
  const files: File[] = []
  const closed: string[] = []
  for (const entry of entries) await walk(entry, '', files, closed)
  reportUnreadable(closed, files.length)
  return files
}

/** The files of a file input, without hidden system files in folders. */
export const chosenFiles = (input: HTMLInputElement): File[] =>
  [...(input.files ?? [])].filter((file) => file.webkitRelativePath === '' || !left.test(file.name))

function reportUnreadable(closed: readonly string[], files: number): void {
  const [first, ...more] = closed
  if (first === undefined) return
  const reason =
    more.length === 0
      ? 'You don’t have permission to read it, or it was deleted.'
      : 'You don’t have permission to read them, or they were deleted.'
  toast({
    kind: 'bad',
    title:
      more.length === 0
        ? `${first} can’t be opened`
        : `${first} and ${more.length} more can’t be opened`,
    text: `${reason} ${files === 0 ? 'Nothing was added.' : 'The other files were added.'}`,
  })
}
