import { Menu } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { IconButton } from './button.tsx'
import { toast } from '../../feedback/toasts.tsx'

export type CopyForm = 'csv' | 'text'

/** Copies all rows of a list, which `write` returns as UTF-8. */
export const useCopyOf = (
  write: (form: CopyForm) => Promise<Blob>,
): { onCopy: (form: CopyForm) => void } =>
  useCopy(async (form) => ({
    text: await (await write(form)).text(),
    what: 'The complete list',
  }))

/** Copies the output of `write` and shows a toast that names it. */
export function useCopy(write: (form: CopyForm) => Promise<{ text: string; what: string }>): {
  onCopy: (form: CopyForm) => void
} {
  const copy = async (form: CopyForm): Promise<void> => {
    const { text, what } = await write(form)
    await navigator.clipboard.writeText(text)
    toast({
      kind: 'copy',
      title: form === 'csv' ? 'Copied as CSV' : 'Copied as text',
      text: `${what}. Paste it into a spreadsheet.`,
    })
  }
  return {
    onCopy: (form) =>
      void copy(form).catch(() =>
        toast({
          kind: 'bad',
          title: 'Not copied',
          text:
            'Keydesk couldn’t read the list, or this browser doesn’t let pages write to the ' +
            'clipboard. Export the list instead.',
        }),
      ),
  }
}

/** The menu in a list's toolbar that copies the complete list. */
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
        <Menu.Item onClick={() => onCopy('csv')}>Copy as CSV</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
