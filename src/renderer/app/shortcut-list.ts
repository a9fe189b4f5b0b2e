import type { Role } from '../../contract/accounts.ts'

export interface Shortcut {
  keys: readonly string[]
  what: string
  inTurn?: boolean
}

/** Shortcuts of one page or thing; `features` are the folders whose keys they are. */
export interface ShortcutGroup {
  name: string
  features: readonly string[]
  roles: readonly Role[]
  shortcuts: readonly Shortcut[]
}

const both: readonly Role[] = ['seller', 'partner']

export const everywhere: readonly Shortcut[] = [
  { keys: ['Ctrl', 'K'], what: 'Search and act' },
  { keys: ['/'], what: 'Filter this list' },
  { keys: ['?'], what: 'This sheet, also F1' },
  { keys: ['Ctrl', '1…9'], what: 'Switch account' },
  { keys: ['Alt', '←'], what: 'Back' },
  { keys: ['Alt', '→'], what: 'Forward' },
  { keys: ['Ctrl', 'Z'], what: 'Undo the last change' },
  { keys: ['Esc'], what: 'Back one level' },
  { keys: ['Ctrl', 'Shift', 'L'], what: 'Lock the vault' },
  { keys: ['Ctrl', '.'], what: 'Stop all sending of prices' },
]
export const dialogs: readonly Shortcut[] = [
  { keys: ['Ctrl', 'Enter'], what: 'Do what can’t be undone' },
  { keys: ['Esc'], what: 'Cancel' },
]
export const palette: readonly Shortcut[] = [
  { keys: ['Tab'], what: 'Actions of this row' },
  { keys: ['>'], what: 'Actions only' },
]
export const table: readonly Shortcut[] = [
  { keys: ['J'], what: 'Down, also ↓' },
  { keys: ['K'], what: 'Up, also ↑' },
  { keys: ['Enter'], what: 'Open, or save' },
  { keys: ['X'], what: 'Check the row' },
  { keys: ['Ctrl', 'A'], what: 'Check all' },
]

/**
 * What the pages add, in the order of the navigation. A test compares it with the keys that pages
 * really listen to.
 */
export const pageShortcuts: readonly ShortcutGroup[] = [
  {
    name: 'Offers',
    features: ['offers'],
    roles: ['seller'],
    shortcuts: [
      { keys: ['N'], what: 'New offer' },
      { keys: ['U'], what: 'Pause it, or activate it' },
      { keys: ['I'], what: 'Import keys for it' },
      { keys: ['0…9'], what: 'Edit the price' },
      { keys: ['R'], what: 'Re-price the checked' },
      { keys: ['P'], what: 'Pause the checked' },
      { keys: ['A'], what: 'Activate the checked' },
    ],
  },
  {
    name: 'A price in its cell',
    features: [],
    roles: ['seller'],
    shortcuts: [
      { keys: ['Enter'], what: 'Save, move down' },
      { keys: ['Tab'], what: 'Save, move right' },
      { keys: ['Esc'], what: 'Leave it as it was' },
    ],
  },
  {
    name: 'Import keys',
    features: ['key-import'],
    roles: ['seller'],
    shortcuts: [{ keys: ['Space'], what: 'Pause the upload' }],
  },
  {
    name: 'Price watch',
    features: ['price-watch'],
    roles: ['seller'],
    shortcuts: [
      { keys: ['A'], what: 'Apply the proposed price' },
      { keys: ['H'], what: 'Hold the price for 4 hours' },
      { keys: ['D'], what: 'Turn the proposal down' },
      { keys: ['N'], what: 'New rule' },
      { keys: ['Alt', '↑'], what: 'Move a rule up' },
      { keys: ['Alt', '↓'], what: 'Move it down' },
      { keys: ['Ctrl', 'S'], what: 'Save the rule' },
    ],
  },
  {
    name: 'Disputes',
    features: ['disputes'],
    roles: ['seller'],
    shortcuts: [
      { keys: ['R'], what: 'Reply' },
      { keys: ['1…3'], what: 'A fitting template' },
      { keys: ['T'], what: 'All templates' },
      { keys: ['S'], what: 'Replace from stock' },
      { keys: ['P'], what: 'Replace with a typed key' },
      { keys: ['F'], what: 'Refund' },
      { keys: ['Z'], what: 'Put off' },
      { keys: ['E'], what: 'Done, next' },
      { keys: ['U'], what: 'Mark as unread' },
      { keys: ['X'], what: 'Evidence' },
      { keys: ['I'], what: 'The sale beside it, in a narrow window' },
      { keys: ['O'], what: 'Open one, or reply' },
    ],
  },
  {
    name: 'Sales',
    features: ['sales'],
    roles: ['seller'],
    shortcuts: [{ keys: ['E'], what: 'Export the list' }],
  },
  {
    name: 'Outbox',
    features: ['outbox'],
    roles: ['seller'],
    shortcuts: [{ keys: ['Del'], what: 'Drop what waits' }],
  },
  {
    name: 'Catalogue',
    features: ['catalogue'],
    roles: both,
    shortcuts: [{ keys: ['N'], what: 'Offer it, or order it' }],
  },
  {
    name: 'Orders',
    features: ['orders'],
    roles: ['partner'],
    shortcuts: [
      { keys: ['N'], what: 'New order' },
      { keys: ['A'], what: 'Add a product to it' },
      { keys: ['M'], what: 'Many orders from a table' },
      { keys: ['Y'], what: 'Copy all keys of an order' },
      { keys: ['E'], what: 'Export them' },
    ],
  },
  {
    name: 'Webhook inspector',
    features: ['webhook-inspector'],
    roles: ['partner'],
    shortcuts: [
      { keys: ['T'], what: 'Ask for a test event' },
      { keys: ['V'], what: 'Paste a request' },
    ],
  },
  {
    name: 'Activity',
    features: ['activity'],
    roles: both,
    shortcuts: [{ keys: ['E'], what: 'Export the list' }],
  },
  {
    name: 'Sandbox',
    features: ['sandbox'],
    roles: both,
    shortcuts: [
      { keys: ['N'], what: 'To what is due next, or a new one' },
      { keys: ['T'], what: 'Send a test webhook' },
      { keys: ['S'], what: 'Snapshots' },
      { keys: ['['], what: 'Part before' },
      { keys: [']'], what: 'Part after' },
    ],
  },
]
