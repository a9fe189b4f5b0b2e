/** Red, green and blue from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

/** A color from `#RRGGBB`. */
export const hex = (text: string): Colour => {
  const value = Number.parseInt(text.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** Mixes two colors: `share` (0 to 1) is the share of the second one. */
export const mix = (from: Colour, to: Colour, share: number): Colour => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
]

/** How a shape is filled. Alphas are 0 to 1; positions and lengths are in pixels. */
export type Paint =
  | {
      kind: 'downwards'
      from: Colour
      to: Colour
      fromAlpha: number
      toAlpha: number
      top: number
      bottom: number
    }
  | { kind: 'glow'; colour: Colour; alpha: number; x: number; y: number; radius: number }

export const flat = (colour: Colour, alpha = 1): Paint =>
  downwards(colour, colour, 0, 1, alpha, alpha)

/** Fades from one color to another, from `top` down to `bottom`. */
export const downwards = (
  from: Colour,
  to: Colour,
  top: number,
  bottom: number,
  fromAlpha = 1,
  toAlpha = 1,
): Paint => ({
  kind: 'downwards',
  from,
  to,
  fromAlpha,
  toAlpha,
  top,
  bottom,
})

/** A soft light that fades to nothing at `radius`. */
export const glow = (
  colour: Colour,
  alpha: number,
  x: number,
  y: number,
  radius: number,
): Paint => ({ kind: 'glow', colour, alpha, x, y, radius })
