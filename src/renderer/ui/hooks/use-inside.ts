import { type FocusEvent, useRef, useState } from 'react'

/** Whether the pointer or the focus is inside the element that gets `handlers`. */
export function useInside(): {
  inside: boolean
  handlers: {
    onPointerEnter(): void
    onPointerLeave(): void
    onFocus(): void
    onBlur(event: FocusEvent): void
  }
} {
  const [inside, setInside] = useState(false)
  const by = useRef({ pointer: false, focus: false })
  const tell = (what: 'pointer' | 'focus', is: boolean): void => {
    by.current[what] = is
    setInside(by.current.pointer || by.current.focus)
  }
  return {
    inside,
    handlers: {
      onPointerEnter: () => tell('pointer', true),
      onPointerLeave: () => tell('pointer', false),
      onFocus: () => tell('focus', true),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          tell('focus', false)
      },
    },
  }
}
