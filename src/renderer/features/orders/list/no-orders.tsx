import { Button } from '../../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'

/** The orders page before the first order: how to place one. */
export function NoOrders({ onNew }: { onNew: () => void }) {
  return (
    <EmptyState
      title="You have no orders yet"
      text="An order has up to ten products. It’s paid from your balance and delivered immediately."
      outline
      actions={
        <Button kind="primary" size="lg" autoFocus onClick={onNew}>
          Find a product
        </Button>
      }
      steps={[
        {
          title: 'Find a product',
          text: 'The catalogue shows today’s price and the stock.',
        },
        {
          title: 'Set your maximum price',
          text: 'If a price is higher, nothing is ordered and nothing is charged.',
        },
        {
          title: 'Download the keys',
          text: 'They are saved encrypted on this computer. You can read them offline.',
        },
      ]}
    />
  )
}
