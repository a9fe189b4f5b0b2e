import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWindowState } from './window-state.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-window-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const laptop = { x: 0, y: 0, width: 1440, height: 900 }
const beside = { x: 1440, y: 0, width: 2560, height: 1440 }
const file = (): string => join(folder, 'window.json')
const bounds = (screens: readonly (typeof laptop)[]) =>
  openWindowState(file(), () => screens).bounds()

test('reopens the window at its last place, and only its owner can read the file', () => {
  const state = openWindowState(file(), () => [laptop, beside])
  expect(state.bounds()).toEqual({ width: 1440, height: 900 })
  state.keep({ x: 1600, y: 40, width: 1500, height: 1000 }, true)
  expect(openWindowState(file(), () => [laptop, beside]).maximized()).toBe(true)
  expect(bounds([laptop, beside])).toEqual({ x: 1600, y: 40, width: 1500, height: 1000 })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

test('keeps only the size when the window’s screen is gone', () => {
  openWindowState(file(), () => []).keep({ x: 1600, y: 40, width: 1500, height: 1000 }, false)
  expect(bounds([laptop])).toEqual({ width: 1500, height: 1000 })
  openWindowState(file(), () => []).keep({ x: -1450, y: 40, width: 1500, height: 1000 }, false)
  expect(bounds([laptop])).toEqual({ width: 1500, height: 1000 })
  openWindowState(file(), () => []).keep({ x: 100, y: 880, width: 1200, height: 800 }, false)
  expect(bounds([laptop])).toEqual({ width: 1200, height: 800 })
})

test('ignores an invalid file', () => {
  for (const text of [
    '',
    '{',
    '{"x":1}',
    '{"x":0,"y":0,"width":10,"height":10,"maximized":false}',
  ]) {
    writeFileSync(file(), text)
    expect(bounds([laptop]), text).toEqual({ width: 1440, height: 900 })
  }
})

test('ignores a folder in which the position can’t be saved', () => {
  const state = openWindowState('/dev/null/window.json', () => [])
  state.keep({ x: 1, y: 2, width: 1000, height: 700 }, false)
  expect(state.bounds()).toEqual({ width: 1440, height: 900 })
})
