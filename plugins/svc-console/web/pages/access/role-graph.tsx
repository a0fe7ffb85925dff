/** The role hierarchy as a drawing: a role stands left of those that it inherits. */

interface Node {
  readonly role: string
  readonly x: number
  readonly y: number
}

export interface RoleLayout {
  readonly nodes: readonly Node[]
  readonly edges: readonly { readonly from: Node; readonly to: Node }[]
  readonly width: number
  readonly height: number
}

const BOX = { width: 170, height: 28, gapX: 60, gapY: 12 }

/** A role's column is its longest way from one that nobody inherits. There are no circles: the boot refuses them. Pure. */
export function layoutOf(hierarchy: Readonly<Record<string, readonly string[]>>): RoleLayout {
  const roles = [...new Set(Object.entries(hierarchy).flatMap(([role, inherited]) => [role, ...inherited]))].sort()
  const columns = new Map<string, number>()
  const place = (role: string, column: number) => {
    if ((columns.get(role) ?? -1) >= column) return
    columns.set(role, column)
    for (const inherited of hierarchy[role] ?? []) place(inherited, column + 1)
  }
  for (const role of roles) place(role, 0)
  const filled: number[] = []
  const nodes = roles.map((role) => {
    const column = columns.get(role) ?? 0
    const row = filled[column] ?? 0
    filled[column] = row + 1
    return { role, x: column * (BOX.width + BOX.gapX), y: row * (BOX.height + BOX.gapY) }
  })
  const named = new Map(nodes.map((node) => [node.role, node]))
  const edges = Object.entries(hierarchy).flatMap(([role, inherited]) =>
    inherited.flatMap((other) => {
      const [from, to] = [named.get(role), named.get(other)]
      return from === undefined || to === undefined ? [] : [{ from, to }]
    })
  )
  const rows = Math.max(0, ...filled.map((count) => count ?? 0))
  const size = (count: number, one: number, gap: number) => Math.max(0, count * (one + gap) - gap)
  return {
    nodes,
    edges,
    width: size(filled.length, BOX.width, BOX.gapX),
    height: size(rows, BOX.height, BOX.gapY)
  }
}

export function RoleGraph({ hierarchy }: { readonly hierarchy: Readonly<Record<string, readonly string[]>> }) {
  const { nodes, edges, width, height } = layoutOf(hierarchy)
  if (nodes.length === 0) return null
  const label = Object.entries(hierarchy)
    .map(([role, inherited]) => `${role} inherits ${inherited.join(', ')}`)
    .join('; ')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section class="scroll" tabIndex={0} aria-label="Role hierarchy">
      <svg class="graph" viewBox={`-1 -1 ${width + 2} ${height + 2}`} width={width + 2} role="img" aria-label={label}>
        {edges.map(({ from, to }) => {
          const [x1, y1] = [from.x + BOX.width, from.y + BOX.height / 2]
          const [x2, y2] = [to.x, to.y + BOX.height / 2]
          const bend = (x2 - x1) / 2
          return (
            <path
              key={`${from.role} ${to.role}`}
              d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
            />
          )
        })}
        {nodes.map(({ role, x, y }) => (
          <g key={role}>
            <title>{role}</title>
            <rect x={x} y={y} width={BOX.width} height={BOX.height} rx={6} />
            <text x={x + BOX.width / 2} y={y + BOX.height / 2}>
              {role.length > 22 ? `${role.slice(0, 21)}…` : role}
            </text>
          </g>
        ))}
      </svg>
    </section>
  )
}
