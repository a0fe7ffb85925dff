/** A text as a QR code: one path of an SVG. The library is loaded where one is shown. */
import { useEffect, useState } from 'preact/hooks'

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [code, setCode] = useState<{ readonly size: number; readonly path: string } | null>(null)
  useEffect(() => {
    import('uqr').then(
      ({ encode }) => {
        const { data, size } = encode(text, { border: 2 })
        setCode({ size, path: pathOf(data) })
      },
      // The text is beside it.
      () => undefined
    )
  }, [text])
  if (code === null) return null
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${code.size} ${code.size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={code.path} />
    </svg>
  )
}

/** A square for each dark module. Pure. */
export function pathOf(modules: readonly (readonly boolean[])[]): string {
  return modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
}
