import type { Account } from '../../contract/accounts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { KeyCap } from '../ui/key-cap.tsx'
import { pagesOf, settingsPage } from './pages.ts'
import { setScreen, useScreen } from './screen-store.ts'
import styles from './shortcut-sheet.module.css'

interface Shortcut { keys: readonly string[]; what: string; inTurn?: boolean }

const everywhere: readonly Shortcut[] = [
  { keys: ['Ctrl', 'K'], what: 'Search and act' }, { keys: ['/'], what: 'Filter this list' }, { keys: ['?'], what: 'This sheet' },
  { keys: ['Ctrl', '1…9'], what: 'Switch account' }, { keys: ['Ctrl', 'Z'], what: 'Undo the last change' }, { keys: ['Esc'], what: 'Back one level' },
  { keys: ['Ctrl', 'Shift', 'L'], what: 'Lock the vault' }, { keys: ['Ctrl', '.'], what: 'Stop all sending of prices' },
]
const table: readonly Shortcut[] = [
  { keys: ['J'], what: 'Down, also ↓' }, { keys: ['K'], what: 'Up, also ↑' }, { keys: ['Enter'], what: 'Open, or save' },
]
const editing: readonly Shortcut[] = [{ keys: ['0…9'], what: 'Edit the price' }, { keys: ['Enter'], what: 'Save, move down' }, { keys: ['Tab'], what: 'Save, move right' }, { keys: ['Esc'], what: 'Leave it as it was' }]
const dialogs: readonly Shortcut[] = [{ keys: ['Ctrl', 'Enter'], what: 'Do what can’t be undone' }, { keys: ['Esc'], what: 'Cancel' }]
const pageKeys: Record<Account['role'], readonly Shortcut[]> = {
  seller: [{ keys: ['N'], what: 'New offer, or offer this product' }, { keys: ['U'], what: 'Pause an offer, or activate it' }, { keys: ['I'], what: 'Import keys' }, { keys: ['Space'], what: 'Pause an upload' }, { keys: ['Del'], what: 'Drop what waits in the outbox' }, { keys: ['A'], what: 'Apply a proposed price' }, { keys: ['H'], what: 'Hold a price for 4 hours' }, { keys: ['D'], what: 'Turn a proposal down' }],
  partner: [{ keys: ['N'], what: 'New order, or order this product' }, { keys: ['A'], what: 'Add a product to it' }, { keys: ['M'], what: 'Many orders from a table' }, { keys: ['Y'], what: 'Copy all keys of an order' }, { keys: ['E'], what: 'Export them' }, { keys: ['T'], what: 'Ask for a test event' }, { keys: ['V'], what: 'Paste a webhook request' }],
}

const disputes: readonly Shortcut[] = [
  { keys: ['R'], what: 'Reply' }, { keys: ['1…3'], what: 'A fitting template' }, { keys: ['T'], what: 'All templates' }, { keys: ['S'], what: 'Replace from stock' }, { keys: ['P'], what: 'Replace with a typed key' },
  { keys: ['F'], what: 'Refund' }, { keys: ['Z'], what: 'Put off' }, { keys: ['E'], what: 'Done, next' }, { keys: ['U'], what: 'Mark as unread' }, { keys: ['X'], what: 'Evidence' },
]
/** All shortcuts of the account's role. */
export function ShortcutSheet({ account }: { account: Account }) {
  const opened = useScreen((screen) => screen.shortcuts)
  const pages = [...pagesOf(account.role), settingsPage].map((page) => ({ keys: ['G', page.letter], what: page.name, inTurn: true }))
  return (
    <Dialog opened={opened} onClose={() => setScreen({ shortcuts: false })} title="Shortcuts" width={640} closable>
      <div className={styles.columns}>
        <div><Group name="Everywhere" shortcuts={everywhere} /><Group name="In dialogs" shortcuts={dialogs} /></div>
        <div><Group name="In tables" shortcuts={table} />{account.role === 'seller' ? <><Group name="A price in its cell" shortcuts={editing} /><Group name="In a dispute" shortcuts={disputes} /></> : null}</div>
        <div><Group name="Pages" shortcuts={pages} /><Group name="On pages" shortcuts={pageKeys[account.role]} /></div>
      </div>
      <p className={styles.note}>Single letters act outside fields. They can be switched off in Settings.</p>
    </Dialog>
  )
}

function Group({ name, shortcuts }: { name: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section className={styles.group}>
      <h3>{name}</h3>
      <dl>
        {shortcuts.map((shortcut) => (
          <div key={shortcut.what}><dt>{shortcut.what}</dt><dd>{shortcut.keys.map((key, index) => <span key={key}>{index > 0 && shortcut.inTurn === true ? <em>then</em> : null}<KeyCap name={key} /></span>)}</dd></div>
        ))}
      </dl>
    </section>
  )
}
