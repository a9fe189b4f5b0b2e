import { expect, test } from 'vitest'
import { demoCatalogue } from '../catalogue/catalogue.ts'
import { readPng } from '../testing/png.ts'
import { drawCover, styleOf } from './cover.ts'
import { motifs } from './motifs.ts'
import { drawScreenshot } from './screenshot.ts'
import { errorWindow } from './error-window.ts'
import { drawVoucher } from './voucher.ts'

const products = [...demoCatalogue(2000, Date.parse('2026-11-21T06:00:00.000Z'))].filter(
  (_, index) => index % 23 === 0,
)

test('covers are valid PNGs of 264 × 352 pixels below 40 kB, with many colors @long', () => {
  for (const { seed } of products) {
    const png = drawCover(seed)
    const { width, height, channels, pixels } = readPng(png)
    expect([width, height, channels]).toEqual([264, 352, 3])
    expect(png.length).toBeLessThan(40_000)
    const colours = new Set<number>()
    for (let i = 0; i < pixels.length; i += 3)
      colours.add(((pixels[i] ?? 0) << 16) | ((pixels[i + 1] ?? 0) << 8) | (pixels[i + 2] ?? 0))
    expect(colours.size).toBeGreaterThan(100)
  }
})

test('a subject always has the same cover; name, platform and type each change it', () => {
  const subject = { name: 'Hollow Tide 2', platform: 'Steam', productType: 'game' } as const
  const cover = drawCover(subject)
  expect(drawCover({ ...subject }).equals(cover)).toBe(true)
  expect(drawCover({ ...subject, platform: 'GOG' }).equals(cover)).toBe(false)
  expect(drawCover({ ...subject, productType: 'dlc' }).equals(cover)).toBe(false)
  expect(drawCover({ ...subject, name: 'Hollow Tide 2 – Deluxe Edition' }).equals(cover)).toBe(
    false,
  )
})

test('covers can be drawn for any name and platform', () => {
  for (const name of [
    '',
    '日本語',
    'A'.repeat(300),
    'Supercalifragilisticexpialidocious – ',
    ': – :',
    'x '.repeat(200),
  ]) {
    expect(
      readPng(drawCover({ name, platform: 'Unheard of ™', productType: 'software' })).width,
    ).toBe(264)
  }
})

test('screenshots differ by number and are valid PNGs of 640 × 360 pixels', () => {
  const first = drawScreenshot({ name: 'Amber Circuit' }, 1)
  expect(readPng(first)).toMatchObject({ width: 640, height: 360 })
  expect(drawScreenshot({ name: 'Amber Circuit' }, 1).equals(first)).toBe(true)
  expect(drawScreenshot({ name: 'a voucher shows its code' }, 2).equals(first)).toBe(false)
})

test('a voucher shows its code', () => {
  expect(readPng(errorWindow('Invalid code', 'Try again'))).toMatchObject({
    width: 420,
    height: 150,
  })
  expect(readPng(drawVoucher('AB3D-K9QZ-77XW-PQRS'))).toMatchObject({ width: 360, height: 120 })
  expect(drawVoucher('AB3D-K9QZ-77XW-PQRS').equals(drawVoucher('AB3D-K9QZ-77XW-PQRT'))).toBe(false)
})

test('a title’s words select its motif, and a series keeps its motif', () => {
  const motif = (name: string) => styleOf(name).motif
  expect(motif('Zephyr Racing 4')).toBe(motifs.circuit)
  expect(motif('Hollow Tide: The Drowned Bell')).toBe(motifs.waves)
  expect(motif('Lanternwood')).toBe(motifs.forest)
  for (const name of ['Karavel Online', 'Velm Rising'])
    expect(motif(`${name} – Season Pass`)).toBe(motif(name))
})
