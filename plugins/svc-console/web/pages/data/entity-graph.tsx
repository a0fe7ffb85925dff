/**
 * The model as a drawing that can be moved and brought nearer. For the eye and the pointer: what it says is in the list
 * beside it, too, which the keyboard reaches.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { go, href } from '../../app/location.ts'
import type { Entity } from './data-api.ts'
import { BOX, type Box, keyOf, layoutOf } from './entity-layout.ts'

interface EntityGraphProps {
  readonly entities: readonly Entity[]
  /** Keys of what the search found; `null` while nothing is searched. */
  readonly found: ReadonlySet<string> | null
}

const LEAST = 0.1
/** Of a large model a part is shown first. */
const READABLE = 0.6
const MOST = 3
const STEP = 1.25
const EDGE = 8

export function EntityGraph({ entities, found }: EntityGraphProps) {
  const viewport = useRef<HTMLElement>(null)
  const { boxes, lines, width, height } = useMemo(() => layoutOf(entities), [entities])
  const [zoom, setZoom] = useState(1)
  const by = (factor: number) => setZoom((now) => Math.min(MOST, Math.max(LEAST, now * factor)))
  const showWhole = (least: number) => {
    const element = viewport.current
    if (element === null) return
    const ratio = Math.min(element.clientWidth / (width + 2 * EDGE), element.clientHeight / (height + 2 * EDGE))
    setZoom(Math.min(1, Math.max(least, ratio)))
  }
  useEffect(() => showWhole(READABLE), [width, height])
  useEffect(() => {
    const element = viewport.current
    // A wheel alone scrolls, as everywhere; with Ctrl, or as a pinch, it is about the size.
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      by(event.deltaY < 0 ? STEP : 1 / STEP)
    }
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [])
  useEffect(() => {
    const [key] = found ?? []
    const box = boxes.find(({ entity }) => keyOf(entity) === key)
    if (box !== undefined) viewport.current?.scrollTo({ left: box.x * zoom - 60, top: box.y * zoom - 60 })
  }, [found])
  const isFound = (key: string) => found === null || found.has(key)
  const label = `The model: ${entities.length} entities, ${lines.length} references; listed beside the drawing`
  return (
    <figure class="model">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section class="scroll" tabIndex={0} aria-label="Drawing of the model" ref={viewport} onPointerDown={drag}>
        <svg
          class="graph entities"
          viewBox={`${-EDGE} ${-EDGE} ${width + 2 * EDGE} ${height + 2 * EDGE}`}
          width={(width + 2 * EDGE) * zoom}
          height={(height + 2 * EDGE) * zoom}
          role="img"
          aria-label={label}
        >
          {lines.map(({ key, from, to, path }) => (
            <path key={key} class={isFound(from) || isFound(to) ? '' : 'dim'} d={path} />
          ))}
          {boxes.map((box) => (
            <EntityBox
              key={keyOf(box.entity)}
              box={box}
              state={found === null ? '' : isFound(keyOf(box.entity)) ? 'found' : 'dim'}
            />
          ))}
        </svg>
      </section>
      <div class="buttons">
        <button type="button" aria-label="Nearer" title="Nearer, or Ctrl and the wheel" onClick={() => by(STEP)}>
          +
        </button>
        <button type="button" aria-label="Farther" title="Farther, or Ctrl and the wheel" onClick={() => by(1 / STEP)}>
          −
        </button>
        <button type="button" onClick={() => showWhole(LEAST)}>
          Whole model
        </button>
        <span class="muted" role="status">
          {Math.round(zoom * 100)} %
        </span>
      </div>
    </figure>
  )
}

function EntityBox({ box: { entity, x, y, height, hidden }, state }: { readonly box: Box; readonly state: string }) {
  const { name, connector, columns } = entity
  const references = new Set(entity.relations.map(({ foreignKey }) => foreignKey))
  const open = () => go(href(['data', 'entities', connector, name]))
  const lines = columns.slice(0, BOX.most).map((column) => ({
    name: short(`${references.has(column.name) ? '→ ' : ''}${column.name}`, 16),
    type: short(`${column.type}${column.nullable ? '?' : ''}`, 11)
  }))
  const at = (index: number) => y + BOX.head + (index + 0.5) * BOX.row
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list beside the drawing is the way of the keyboard
    <g class={`entity ${state}`} onClick={open}>
      <title>{`${name} on ${connector}`}</title>
      <rect x={x} y={y} width={BOX.width} height={height} rx={6} />
      <text class="name" x={x + 10} y={y + BOX.head / 2}>
        {short(name, 24)}
      </text>
      <path d={`M${x} ${y + BOX.head}h${BOX.width}`} />
      {lines.map((line, index) => (
        <g key={columns[index]?.name}>
          <text x={x + 10} y={at(index)}>
            {line.name}
          </text>
          <text class="type" x={x + BOX.width - 10} y={at(index)}>
            {line.type}
          </text>
        </g>
      ))}
      {hidden > 0 && (
        <text class="more" x={x + 10} y={at(BOX.most)}>
          … {hidden} more
        </text>
      )}
    </g>
  )
}

const short = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

/** Moves what is seen along with the pointer. */
function drag(event: PointerEvent): void {
  const element = event.currentTarget
  if (!(element instanceof HTMLElement) || event.button !== 0 || event.pointerType === 'touch') return
  const [left, top] = [element.scrollLeft + event.clientX, element.scrollTop + event.clientY]
  const move = ({ clientX, clientY }: PointerEvent) => element.scrollTo(left - clientX, top - clientY)
  const end = () => element.removeEventListener('pointermove', move)
  element.addEventListener('pointermove', move)
  for (const name of ['pointerup', 'pointerleave', 'pointercancel']) element.addEventListener(name, end, { once: true })
}
