/**
 * Calls `point` when a person moves the pointer over an element. Browsers also report a resting
 * pointer when an element appears or moves under it; that must not change a keyboard selection.
 */
export const pointerMoved =
  (point: () => void) =>
  ({ movementX, movementY }: { movementX: number; movementY: number }): void => {
    if (movementX !== 0 || movementY !== 0) point()
  }
