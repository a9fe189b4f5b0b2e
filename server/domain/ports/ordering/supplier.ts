/** Whether suppliers can sell and deliver. They always can unless a fault is injected. */
export interface Supplier {
  /** No order can be accepted: SERVICE_UNAVAILABLE. */
  down(): boolean
  /**
   * Whether the next unit of this product fails to be delivered. Called once per unit and attempt.
   */
  failsUnit(productId: string): boolean
}

export const reliableSupplier: Supplier = { down: () => false, failsUnit: () => false }
