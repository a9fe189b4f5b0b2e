import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlace, placeOfArguments, placeOfLink } from './deep-link.ts'

describe('placeOfLink', () => {
  it.each([
    ['keydesk://open/offers', { path: '/offers', accountId: null }],
    ['keydesk://open/disputes/dsp_1kd-2.x', { path: '/disputes/dsp_1kd-2.x', accountId: null }],
    [
      'keydesk://open/orders/ord_1?account=4f1c-22',
      { path: '/orders/ord_1', accountId: '4f1c-22' },
    ],
    ['keydesk://open/import/0f4c-1', { path: '/import/0f4c-1', accountId: null }],
    ['keydesk://open/settings/secrets/', { path: '/settings/secrets', accountId: null }],
    ['keydesk://open/key-history', { path: '/key-history', accountId: null }],
    ['keydesk://open/life-line', { path: '/key-history', accountId: null }],
    ['keydesk://open/sandbox/ledger', { path: '/sandbox/ledger', accountId: null }],
  ])('%s opens a page', (link, place) => expect(placeOfLink(link)).toEqual(place))

  it.each([
    'keydesk://open',
    'keydesk://open/',
    'keydesk://open/nothing',
    'keydesk://do/offers',
    'keydesk:/open/offers',
    'keydesk:offers',
    'Keydesk://open/offers',
    'https://open/offers',
    'keydesk://user:pw@open/offers',
    'keydesk://open:80/offers',
    'keydesk://open/offers#/orders/new',
    'keydesk://open/orders/new',
    'keydesk://open/orders/new/',
    'keydesk://open/offers/../orders/new',
    'keydesk://open/offers/..',
    'keydesk://open/offers/%2e%2e',
    'keydesk://open/offers/a/b',
    'keydesk://open//offers',
    'keydesk://open/offers?account=',
    'keydesk://open/offers?account=a&b=1',
    'keydesk://open/offers?token=x',
    'keydesk://open/import?offer=off_1',
    'keydesk://open/connect',
    'keydesk://open/offers/\u202e',
    'keydesk://open/offers\n',
    `keydesk://open/offers/${'a'.repeat(101)}`,
    '',
  ])('%j opens nothing', (link) => expect(placeOfLink(link)).toBeNull())

  it('opens a known page or nothing, whatever is sent', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'keydesk://open',
        '/',
        '..',
        '.',
        '%2f',
        '?account=',
        '#',
        '&',
        '@',
        'offers',
        'orders',
        'new',
        'settings',
        'javascript:',
        'https://evil.example',
        '\\',
        '\0',
        '//',
      ),
      fc.string({ maxLength: 12 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        for (const link of [pieces.join(''), `keydesk://open/${pieces.join('')}`]) {
          const place = placeOfLink(link)
          if (place === null) continue
          expect(isPlace(place.path)).toBe(true)
          // Parsed the way the page parses it, it is the same address: it can't leave the fragment,
          // add a parameter, or go up a level.
          expect(new URL(`app://keydesk/#${place.path}`).hash).toBe(`#${place.path}`)
          expect(place.path).toMatch(/^\/[a-z]/)
          expect(place.path).not.toMatch(/[?#%\\:\s]|(?:^|\/)\.\.?(?:\/|$)|\/\/|^\/orders\/new$/)
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('finds the link in a start’s arguments, and uses the last of several', () => {
    expect(placeOfArguments(['/usr/bin/keydesk', '--flag', 'keydesk://open/offers'])).toEqual({
      path: '/offers',
      accountId: null,
    })
    expect(
      placeOfArguments(['keydesk', 'keydesk://open/offers', 'keydesk://open/nothing']),
    ).toBeNull()
    expect(placeOfArguments(['keydesk', '--data=/tmp/keydesk'])).toBeNull()
  })
})
