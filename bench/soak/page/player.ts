import type { Page } from '@playwright/test'

/** The pages on which a person changes records, more often the more they change. */
const pages = {
  seller: [
    'offers',
    'offers',
    'offers',
    'watch',
    'disputes',
    'disputes',
    'catalogue',
    'outbox',
    'sales',
    'batches',
    'key-history',
    'today',
  ],
  partner: ['orders', 'orders', 'orders/new', 'keys', 'keys', 'catalogue', 'claims', 'today'],
} as const

/** What people press in one go. Random keys alone rarely complete a change. */
const phrases = [
  ['1', '2', '.', '4', 'Enter'],
  ['j', '9', '.', '9', 'Tab', '8', '.', '7', 'Enter'],
  ['j', 'Enter', '7', '.', '5', 'Enter'],
  ['j', 'j', 'u'],
  ['Enter', 'u', 'j', 'u'],
  ['x', 'j', 'x', 'p', 'Control+Enter'],
  ['j', 'h', 'j', 'a', 'j', 'd'],
  ['j', 'z', 'Enter'],
  ['j', 'e', 'j', 'e'],
  ['n', 'a', 'r', 'ArrowDown', 'Enter', 'Control+Enter'],
  ['j', 'n', 'Enter'],
  ['x', 'Shift+J', 'x'],
] as const

const moves = ['j', 'k', 'ArrowDown', 'ArrowUp', 'PageDown', 'Home', 'End']
const acts = [...'uxrpcihmeabdnstwlqvfoyg', 'Enter', 'Enter', 'Escape', 'Escape', 'Shift+X', ' ']
const typed = [...'0123456789', '.', '-', 'Backspace', 'Delete', 'Control+a', 'Tab', 'Shift+Tab']
const control = ['Control+z', 'Control+Shift+Z', 'Control+Enter', '/', '?', 'Control+k']
/** Actions with the mouse among a hundred. */
const mouseShare = 25
/** Phrases among a hundred actions. */
const phraseShare = 8
/** Of a hundred sequences, those in the partner's account. */
const partnerShare = 30

/** After so many actions the player leaves pages and dialogs in which nothing changes. */
const actionsPerCheck = 8

/** What ends the work of the page under test, or leaves it. */
const endings = [
  'quit|restart|stop the sandbox|stop all|remove|lock|reset|switch account',
  'connect an account|restore|choose files|settings',
].join('|')

/** The middle of a random visible control or row, unless pressing it would end the sequence. */
async function place(page: Page, dice: number): Promise<{ x: number; y: number } | null> {
  return page.evaluate(
    ([number, ends]) => {
      const dialog = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1)
      const found = (dialog ?? document).querySelectorAll(
        'button, [role="row"][data-record], [role="checkbox"], [role="tab"], input, [data-key]',
      )
      /** A prime: each element is looked at once, far from the one before. */
      const step = 7919
      for (let tried = 0; tried < found.length; tried++) {
        const element = found[(number + tried * step) % found.length]
        const box = element?.getBoundingClientRect()
        const name = `${element?.textContent ?? ''} ${element?.getAttribute('aria-label') ?? ''}`
        if (
          box !== undefined &&
          box.width > 0 &&
          box.top >= 0 &&
          box.bottom <= innerHeight &&
          box.left >= 0 &&
          box.right <= innerWidth &&
          element?.closest('nav') === null &&
          !element.matches('[type="file"]') &&
          !new RegExp(ends, 'i').test(name)
        )
          return { x: box.x + Math.min(box.width / 2, 200), y: box.y + box.height / 2 }
      }
      return null
    },
    [dice, endings] as const,
  )
}

/**
 * Returns to a page from one without records, such as the settings, and closes a dialog that was
 * already open at the last check: most keys do nothing in the palette and in the list of shortcuts.
 *
 * @returns whether a dialog was open and is still allowed to be
 */
async function comeBack(
  page: Page,
  role: keyof typeof pages,
  path: string,
  wasOpen: boolean,
): Promise<boolean> {
  const { hash, isOpen } = await page.evaluate(() => ({
    hash: location.hash,
    isOpen: document.querySelector('[role="dialog"][aria-modal="true"]') !== null,
  }))
  const isElsewhere = !pages[role].some((known) => hash.startsWith(`#/${known}`))
  if (isOpen && (wasOpen || isElsewhere)) await page.keyboard.press('Escape')
  if (isElsewhere) await open(page, path)
  return isOpen && !wasOpen
}

const open = (page: Page, path: string): Promise<void> =>
  page.evaluate((hash) => {
    location.hash = hash
  }, `#/${path}`)

/**
 * Presses random keys and clicks random places, most of the time without waiting for the page, as a
 * fast person does.
 *
 * @param below a number from 0 to below its argument
 * @param roles the roles of the accounts, in the order of their shortcuts
 */
export async function play(
  page: Page,
  below: (limit: number) => number,
  actions: number,
  roles: readonly string[],
): Promise<void> {
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value
  const role = below(100) < partnerShare ? 'partner' : 'seller'
  const path = one(pages[role])
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
  await page.keyboard.press(`Control+${roles.indexOf(role) + 1}`)
  // The switch takes place in a later task; the soak doesn't judge it.
  await page.waitForTimeout(100)
  await open(page, path)
  let isOpen = false
  for (let done = 0; done < actions; done++) {
    if (done % actionsPerCheck === actionsPerCheck - 1)
      isOpen = await comeBack(page, role, path, isOpen)
    const dice = below(100)
    if (below(100) < phraseShare) {
      for (const key of one(phrases)) await page.keyboard.press(key)
    } else if (dice < mouseShare) {
      const at = await place(page, below(1_000_000))
      if (at !== null) await page.mouse.click(at.x, at.y)
    } else if (dice < 50) await page.keyboard.press(one(moves))
    else if (dice < 75) await page.keyboard.press(one(acts))
    else if (dice < 93) await page.keyboard.press(one(typed))
    else if (dice < 97) await page.keyboard.press(one(control))
    else await page.waitForTimeout(below(60))
  }
}
