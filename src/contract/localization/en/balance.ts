/** Messages about an account's balance. */
export const balanceMessages = {
  'balance.below':
    'EUR {balance, number, ::.00 scale/0.01}, below EUR {limit, number, ::.00 scale/0.01}',
  'balance.low': 'Balance is low',
} as const
