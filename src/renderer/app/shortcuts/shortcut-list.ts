import type { Role } from '../../../contract/app/accounts.ts'

export interface Shortcut {
  keys: readonly string[]
  what: string
  inTurn?: boolean
}

/** Shortcuts of one page or area. `features` lists the folders that listen to these keys. */
export interface ShortcutGroup {
  name: string
  features: readonly string[]
  roles: readonly Role[]
  shortcuts: readonly Shortcut[]
}

const both: readonly Role[] = ['seller', 'partner']

export const everywhere: readonly Shortcut[] = [
  { keys: ['Ctrl', 'K'], what: 'Search or run an action' },
  { keys: ['/'], what: 'Filter this list' },
  { keys: ['?'], what: 'Show shortcuts, also F1' },
  { keys: ['Ctrl', '1…9'], what: 'Switch account' },
  { keys: ['Alt', '←'], what: 'Back' },
  { keys: ['Alt', '→'], what: 'Forward' },
  { keys: ['Ctrl', 'Z'], what: 'Undo the last change' },
  { keys: ['Ctrl', 'Shift', 'Z'], what: 'Make the undone change again' },
  { keys: ['Ctrl', 'Alt', 'Z'], what: 'Undo history' },
  { keys: ['Esc'], what: 'Go back one level' },
  { keys: ['Ctrl', 'Shift', 'L'], what: 'Lock the vault' },
  { keys: ['Ctrl', '.'], what: 'Stop all price changes' },
]
export const dialogs: readonly Shortcut[] = [
  { keys: ['Ctrl', 'Enter'], what: 'Confirm what can’t be undone' },
  { keys: ['Esc'], what: 'Cancel' },
]
export const palette: readonly Shortcut[] = [
  { keys: ['Tab'], what: 'Row actions' },
  { keys: ['>'], what: 'Actions only' },
]
export const table: readonly Shortcut[] = [
  { keys: ['J'], what: 'Down, also ↓' },
  { keys: ['K'], what: 'Up, also ↑' },
  { keys: ['Enter'], what: 'Open or save' },
  { keys: ['X'], what: 'Select the row' },
  { keys: ['Ctrl', 'A'], what: 'Select all' },
]

/**
 * The shortcuts of each page, in the order of the navigation. A test compares them with the keys
 * that the pages actually handle.
 */
export const pageShortcuts: readonly ShortcutGroup[] = [
  {
    name: 'Today',
    features: ['today'],
    roles: both,
    shortcuts: [
      { keys: ['Enter'], what: 'Open what needs attention' },
      { keys: ['Shift', 'R'], what: 'Mark as read' },
    ],
  },
  {
    name: 'Offers',
    features: ['offers'],
    roles: ['seller'],
    shortcuts: [
      { keys: ['N'], what: 'New offer' },
      { keys: ['U'], what: 'Pause or activate the offer' },
      { keys: ['I'], what: 'Import keys for the offer' },
      { keys: ['0…9'], what: 'Edit the price' },
      { keys: ['R'], what: 'Change prices of selected offers' },
      { keys: ['P'], what: 'Pause selected offers' },
      { keys: ['A'], what: 'Activate selected offers' },
    ],
  },
  {
    name: 'Price cell',
    features: [],
    roles: ['seller'],
    shortcuts: [
      { keys: ['Enter'], what: 'Save and move down' },
      { keys: ['Tab'], what: 'Save and move right' },
      { keys: ['Esc'], what: 'Discard the edit' },
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
      { keys: ['D'], what: 'Reject the proposal' },
      { keys: ['N'], what: 'New rule' },
      { keys: ['Alt', '↑'], what: 'Move a rule up' },
      { keys: ['Alt', '↓'], what: 'Move a rule down' },
      { keys: ['Ctrl', 'S'], what: 'Save the rule' },
    ],
  },
  {
    name: 'Disputes',
    features: ['disputes'],
    roles: ['seller'],
    shortcuts: [
      { keys: ['R'], what: 'Reply, or answer the selected disputes together' },
      { keys: ['X'], what: 'Select the dispute' },
      { keys: ['Shift', 'J', 'K'], what: 'Select the next or previous dispute too' },
      { keys: ['Ctrl', 'A'], what: 'Select all' },
      { keys: ['B'], what: 'Select the disputes about a batch with an alarm' },
      { keys: ['1…3'], what: 'Use a matching template' },
      { keys: ['T'], what: 'Show all templates' },
      { keys: ['S'], what: 'Replace from stock' },
      { keys: ['P'], what: 'Replace with a typed key' },
      { keys: ['F'], what: 'Refund' },
      { keys: ['Z'], what: 'Snooze' },
      { keys: ['D'], what: 'Type the end of a snooze, in its dialog' },
      { keys: ['E'], what: 'Mark as done and open the next' },
      { keys: ['U'], what: 'Mark as unread' },
      { keys: ['V'], what: 'Evidence' },
      { keys: ['I'], what: 'Show the sale, in a narrow window' },
      { keys: ['O'], what: 'Open a dispute, or reply' },
    ],
  },
  {
    name: 'Sales',
    features: ['sales'],
    roles: ['seller'],
    shortcuts: [{ keys: ['E'], what: 'Export the list' }],
  },
  {
    name: 'Queued changes',
    features: ['outbox'],
    roles: ['seller'],
    shortcuts: [
      { keys: ['0…9'], what: 'Type another price' },
      { keys: ['Del'], what: 'Discard the queued change' },
    ],
  },
  {
    name: 'Catalogue',
    features: ['catalogue'],
    roles: both,
    shortcuts: [{ keys: ['N'], what: 'Create an offer, or order the product' }],
  },
  {
    name: 'Orders',
    features: ['orders'],
    roles: ['partner'],
    shortcuts: [
      { keys: ['N'], what: 'New order' },
      { keys: ['A'], what: 'Add a product to the order' },
      { keys: ['Alt', 'M'], what: 'Bulk order from a table' },
      { keys: ['D'], what: 'Download the keys of an order' },
      { keys: ['Y'], what: 'Copy all keys of an order' },
      { keys: ['E'], what: 'Export all keys of an order' },
    ],
  },
  {
    name: 'Webhook inspector',
    features: ['webhook-inspector'],
    roles: ['partner'],
    shortcuts: [
      { keys: ['T'], what: 'Request a test event' },
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
      { keys: ['N'], what: 'Skip to the next event, or create an item' },
      { keys: ['T'], what: 'Send a test webhook' },
      { keys: ['W'], what: 'Explain a rejected request' },
      { keys: ['Ctrl', 'Enter'], what: 'Run the certificate' },
      { keys: ['1'], what: 'Replay the first failure of a certificate; 2 and 3 the others' },
      { keys: ['B'], what: 'Create a branch, on Worlds' },
      { keys: ['S'], what: 'Snapshots' },
      { keys: ['['], what: 'Previous tab' },
      { keys: [']'], what: 'Next tab' },
    ],
  },
]
