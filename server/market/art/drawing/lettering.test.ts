import { expect, test } from 'vitest'
import { createCanvas } from './canvas.ts'
import { flat } from './colour.ts'
import { glyphs } from './glyphs.ts'
import { fitText, nameParts } from '../layout.ts'
import { drawText, drawable, textWidth } from './lettering.ts'

const style = { height: 20, weight: 0.18, tracking: 0.02 }

test.each(Object.keys(glyphs).filter((letter) => letter !== ' '))(
  '"%s" stays within its width and its height',
  (letter) => {
    const canvas = createCanvas(60, 60)
    const width = drawText(canvas, letter, 10, 20, style, flat([255, 255, 255]))
    const pixels = canvas.bytes(4)
    const inked: { x: number; y: number }[] = []
    for (let i = 3; i < pixels.length; i += 4)
      if ((pixels[i] ?? 0) > 40)
        inked.push({ x: ((i - 3) / 4) % 60, y: Math.floor((i - 3) / 4 / 60) })
    expect(inked.length).toBeGreaterThan(8)
    expect(Math.min(...inked.map(({ x }) => x))).toBeGreaterThanOrEqual(7)
    expect(Math.max(...inked.map(({ x }) => x))).toBeLessThanOrEqual(10 + Math.ceil(width) + 2)
    expect(Math.min(...inked.map(({ y }) => y))).toBeGreaterThanOrEqual(20)
    expect(Math.max(...inked.map(({ y }) => y))).toBeLessThan(
      glyphs[letter]?.descends === true ? 46 : 40,
    )
  },
)

test('unsupported characters are removed from a text, and rejected by the drawing function', () => {
  expect(drawable('Café ™ 日本 – 20 EUR')).toBe('Cafe TM  – 20 EUR')
  expect(() => textWidth('日', style)).toThrow(RangeError)
})

test('text is broken at the width, and a number stays with its word', () => {
  const set = fitText('Polar Transit 3', 160, 36, 3, { weight: 0.2, tracking: 0.02 })
  expect(set.lines).toEqual(['Polar', 'Transit 3'])
  for (const line of set.lines) expect(textWidth(line, set.style)).toBeLessThanOrEqual(160)
})

test.each([
  [
    'Hollow Tide: The Drowned Bell – Deluxe Edition',
    'Hollow Tide',
    'Hollow Tide',
    ['The Drowned Bell', 'Deluxe Edition'],
  ],
  ['Ironwharf 3', 'Ironwharf', 'Ironwharf 3', []],
  ['Emberline Gift Card 20 EUR', 'Emberline', 'Emberline', ['20 EUR']],
])('%s is split into its parts', (name, series, title, subtitles) => {
  expect(nameParts(name)).toEqual({ series, title, subtitles })
})
