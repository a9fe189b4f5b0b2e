/** Red, green and blue from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

/** A colour from `#RRGGBB`. */
export const hex = (text: string): Colour => {
  const value = Number.parseInt(text.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** The colour that lies `share` (0 to 1) of the way from one to another. */
export const mix = (from: Colour, to: Colour, share: number): Colour => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
]

/** How a shape is filled. Alphas are 0 to 1, places and lengths in pixels. */
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

/** Fades from one colour to another down from `top` to `bottom`. */
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

/** A soft light that is gone at `radius`. */
export const glow = (
  colour: Colour,
  alpha: number,
  x: number,
  y: number,
  radius: number,
): Paint => ({ kind: 'glow', colour, alpha, x, y, radius })
