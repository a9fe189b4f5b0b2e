import { Menu } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { IconButton } from './button.tsx'
import { toast } from './toasts.tsx'

export type CopyForm = 'csv' | 'text'

/** Copies what a list shows, whole. `write` gives it as base64 of UTF-8. */
export const useCopyOf = (
  write: (form: CopyForm) => Promise<string>,
): { onCopy: (form: CopyForm) => void } =>
  useCopy(async (form) => ({
    text: new TextDecoder().decode(Uint8Array.fromBase64(await write(form))),
    what: 'Everything the list shows',
  }))

/** Copies what `write` gives, and tells what it was. */
export function useCopy(write: (form: CopyForm) => Promise<{ text: string; what: string }>): {
  onCopy: (form: CopyForm) => void
} {
  const copy = async (form: CopyForm): Promise<void> => {
    const { text, what } = await write(form)
    await navigator.clipboard.writeText(text)
    toast({
      kind: 'copy',
      title: form === 'csv' ? 'Copied as csv' : 'Copied as text',
      text: `${what}; paste it into a table.`,
    })
  }
  return {
    onCopy: (form) =>
      void copy(form).catch(() =>
        toast({
          kind: 'bad',
          title: 'Not copied',
          text: 'The list could not be read, or this browser lets no page write to the clipboard. Export it instead.',
        }),
      ),
  }
}

/** The menu of a list's bar from which all of it is copied. */
export function CopyMenu({ onCopy }: { onCopy: (form: CopyForm) => void }) {
  return (
    <Menu position="bottom-end" offset={4}>
      <Menu.Target>
        <IconButton label="Copy the list">
          <IconCopy size={16} stroke={1.6} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onCopy('text')}>Copy as text</Menu.Item>
        <Menu.Item onClick={() => onCopy('csv')}>Copy as csv</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
