import { expect, test } from 'vitest'
import { theme } from './theme.ts'

test('lets a person choose a file again that was corrected since', () => {
  const props: unknown = theme.components?.['FileButton']?.defaultProps
  // The browser reports a choice only if it differs from the value of the input.
  const input = { value: 'C:\\fakepath\\costs.csv' }
  expect(props).toMatchObject({ inputProps: { onClick: expect.any(Function) } })
  const { inputProps } = props as {
    inputProps: { onClick: (event: { currentTarget: { value: string } }) => void }
  }
  inputProps.onClick({ currentTarget: input })
  expect(input.value).toBe('')
})
