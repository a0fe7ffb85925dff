/** A modal dialog: the browser's own, with its focus trap and its Escape. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { speech } from './words.ts'

interface DialogProps {
  readonly title: string
  /** `null` where it cannot be left. */
  readonly onClose: (() => void) | null
  readonly children: ComponentChildren
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        {onClose !== null && (
          <button type="button" class="plain" aria-label={speech.words.close} onClick={onClose}>
            ×
          </button>
        )}
      </div>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly action: string
  readonly children: ComponentChildren
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Before what cannot be undone. */
export function Confirm({ title, action, children, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {speech.words.cancel}
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  )
}
