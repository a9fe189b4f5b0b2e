/**
 * Usual shapes of a platform's keys: the lengths of the groups of letters and digits between
 * hyphens. A key of another shape gets a warning but is never blocked, because retail boxes, old
 * games and regional codes differ.
 */
export type PlatformShape = {
  /** Platform names as in catalogues, in lower case. */
  platforms: readonly string[]
  shapes: readonly string[]
  /** The source of the shapes. */
  source: string
}

export const platformShapes: readonly PlatformShape[] = [
  {
    platforms: ['steam'],
    shapes: ['5-5-5', '5-5-5-5-5'],
    source:
      'Steamworks documentation, Steam Keys (5-5-5); Steam Support, retail CD keys (5-5-5-5-5)',
  },
  {
    platforms: ['gog', 'gog.com', 'gog galaxy'],
    shapes: ['5-5-5-5', '18'],
    source: 'GOG, redeem a code (18 characters in one piece, or 5-5-5-5)',
  },
  {
    platforms: ['ea app', 'ea', 'ea play', 'origin'],
    shapes: ['4-4-4-4-4', '20'],
    source: 'EA Help, redeem a product code (4-4-4-4-4)',
  },
  {
    platforms: ['ubisoft connect', 'ubisoft', 'uplay'],
    shapes: ['4-4-4-4', '3-4-4-4-4'],
    source: 'Ubisoft Support, activate a key (4-4-4-4 and 3-4-4-4-4)',
  },
  {
    platforms: ['xbox', 'xbox live', 'microsoft', 'microsoft store', 'windows', 'windows store'],
    shapes: ['5-5-5-5-5', '25'],
    source: 'Microsoft Support, 25-character codes and product keys',
  },
  {
    platforms: ['playstation', 'psn', 'playstation network', 'playstation store'],
    shapes: ['4-4-4', '12'],
    source: 'PlayStation Support, redeem a 12-digit voucher code',
  },
  {
    platforms: ['nintendo', 'nintendo eshop', 'nintendo switch'],
    shapes: ['4-4-4-4', '16'],
    source: 'Nintendo Support, redeem a 16-character download code',
  },
  {
    platforms: ['battle.net', 'battlenet', 'blizzard'],
    shapes: ['4-4-5-4-4', '6-4-6-4-6', '26'],
    source: 'Blizzard Support, redeem a code (26 characters, 6-4-6-4-6, 4-4-5-4-4)',
  },
  {
    platforms: ['epic', 'epic games', 'epic games store'],
    shapes: ['5-5-5-5', '20'],
    source: 'Epic Games Support, redeem a product code (5-5-5-5)',
  },
  {
    platforms: ['rockstar', 'rockstar games', 'rockstar games launcher'],
    shapes: ['4-4-4-4', '4-4-4-4-4', '5-5-5-5-5'],
    source: 'Rockstar Support, activate a game by its code',
  },
]
