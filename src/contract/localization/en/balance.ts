/** Messages about an account's balance. */
export const balanceMessages = {
  'balance.below':
    'EUR {balance, number, ::.00 scale/0.01}, below EUR {limit, number, ::.00 scale/0.01}',
  'balance.low': 'Balance is low',
  'balance.low-amount': 'Balance is low: EUR {balance, number, ::.00 scale/0.01}',
  'balance.low-effect':
    'It is below EUR {limit, number, ::.00 scale/0.01}. Orders above the balance are rejected.',
} as const
