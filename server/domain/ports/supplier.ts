/**
 * Whether suppliers can sell and deliver. Without anything that makes them fail they always can.
 */
export interface Supplier {
  /** No order can be taken: SERVICE_UNAVAILABLE. */
  down(): boolean
  /**
   * Whether the next unit of this product fails to be delivered. Asked once per unit and attempt.
   */
  failsUnit(productId: string): boolean
}

export const reliableSupplier: Supplier = { down: () => false, failsUnit: () => false }
