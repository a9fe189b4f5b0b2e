import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { go, reach, watchKeys, watchPointer } from '../../support/keyboard.ts'
import { withPalette } from './palette-png.ts'

const MOST_MOVES = 20

/** The input device of a film. Typing into a field is allowed with both. */
export type Hand = 'keyboard' | 'mouse'

/** The same step for both hands, and the state in which its picture is taken. */
export interface Scene {
  keyboard: () => Promise<void>
  mouse: () => Promise<void>
  settled: () => Promise<void>
}

/** A series of pictures of one role's day, with the key presses or clicks of each step. */
export class Film {
  readonly page: Page
  readonly #hand: Hand
  readonly #path: (file: string) => string
  readonly #broken: readonly string[]
  readonly #steps: string[] = []
  #used: string[] = []

  private constructor(
    page: Page,
    hand: Hand,
    path: (file: string) => string,
    broken: readonly string[],
  ) {
    this.page = page
    this.#hand = hand
    this.#path = path
    this.#broken = broken
  }

  /**
   * Starts a film after its setup, in which both hands are allowed.
   *
   * @param folder where the pictures go, named `role-hand-step-name.png`
   */
  static async start(page: Page, role: string, hand: Hand, folder: string): Promise<Film> {
    const broken = hand === 'keyboard' ? await watchPointer(page) : await watchKeys(page)
    if (hand === 'keyboard') await page.mouse.move(0, 0)
    return new Film(page, hand, (file) => join(folder, `${role}-${hand}-${file}`), broken)
  }

  /** Presses keys one after the other: `g`, `Control+Enter`. */
  async keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#used.push(key)
      await this.page.keyboard.press(key)
    }
  }

  /** Presses G and a letter, and waits for the page. */
  async go(letter: string, title: string): Promise<void> {
    this.#used.push('g', letter)
    await go(this.page, letter, title)
  }

  /** Types into the field that has the focus. */
  async type(text: string): Promise<void> {
    this.#used.push(`“${text}”`)
    await this.page.keyboard.type(text)
  }

  /** Moves to a row of the list with J. */
  async moveTo(row: Locator): Promise<void> {
    await expect(row).toBeVisible()
    for (let moves = 0; moves < MOST_MOVES; moves++) {
      await this.keys('j')
      if (await row.evaluate((element) => element === document.activeElement)) return
    }
    throw new Error(`J does not reach ${String(row)}`)
  }

  /** Moves to an element with Tab. */
  async tabTo(target: Locator): Promise<void> {
    const tabs = await reach(this.page, target)
    for (let at = 0; at < tabs; at++) this.#used.push('Tab')
  }

  async click(target: Locator): Promise<void> {
    await expect(target).toBeVisible()
    if (!(await this.#isOnScreen(target))) this.#used.push('scroll')
    this.#used.push('click')
    await target.click()
  }

  /** Clicks a field and types. */
  async fill(target: Locator, text: string): Promise<void> {
    await this.click(target)
    this.#used.push(`“${text}”`)
    await target.fill(text)
  }

  /** Chooses an option of a list, whose menu the system draws: two clicks. */
  async choose(target: Locator, label: string): Promise<void> {
    this.#used.push('click', 'click')
    await target.selectOption({ label })
  }

  /** Performs a step with the film's hand, waits until the page has settled, and takes its picture. */
  async step(name: string, scene: Scene): Promise<void> {
    await scene[this.#hand]()
    await scene.settled()
    await this.#rest()
    this.#steps.push(
      [`${this.#steps.length + 1} ${name}`, this.#used.join(' '), await this.#focus()].join('\t'),
    )
    this.#used = []
    const png = await this.page.screenshot({ caret: 'hide', animations: 'disabled' })
    writeFileSync(this.#path(`${this.#steps.length}-${name}.png`), withPalette(png))
  }

  /** A line per step: its name, the keys or clicks, and the focus after it. */
  steps(): string {
    return `${this.#steps.join('\n')}\n`
  }

  /** Checks that only one hand was used. */
  end(): void {
    expect([...new Set(this.#broken)], `only the ${this.#hand} was used`).toEqual([])
  }

  async #rest(): Promise<void> {
    await expect(this.page.locator('[aria-busy="true"]')).toHaveCount(0)
    await this.page.evaluate(async () => {
      await document.fonts.ready
    })
  }

  async #isOnScreen(target: Locator): Promise<boolean> {
    const box = await target.boundingBox()
    const height = this.page.viewportSize()?.height ?? 0
    return box !== null && box.y >= 0 && box.y + box.height <= height
  }

  async #focus(): Promise<string> {
    return this.page.evaluate(() => {
      const focused = document.activeElement
      const name = focused?.getAttribute('aria-label') ?? focused?.textContent ?? ''
      return `${focused?.tagName.toLowerCase() ?? 'none'} ${name.slice(0, 60)}`
    })
  }
}
