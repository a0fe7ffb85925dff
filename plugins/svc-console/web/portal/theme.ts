/** The colours of a link. They are set by name, never written as a style: what is no colour changes nothing. */
import type { PortalSession } from 'svc-events/wire'

const VARIABLES = {
  accent: '--accent',
  onAccent: '--on-accent',
  ground: '--ground',
  surface: '--surface',
  text: '--text'
} as const

export function paint(theme: PortalSession['theme']): void {
  const { style } = document.documentElement
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const colour = theme[name]
    if (colour === undefined) style.removeProperty(variable)
    else
      style.setProperty(variable, typeof colour === 'string' ? colour : `light-dark(${colour.light}, ${colour.dark})`)
  }
  // One ground for both schemes: the other colours are those of the scheme that it belongs to.
  const ground = theme.surface ?? theme.ground
  style.setProperty('color-scheme', typeof ground === 'string' ? (isDark(ground) ? 'dark' : 'light') : 'light dark')
}

function isDark(hex: string): boolean {
  const digits = hex.length < 7 ? hex.slice(1, 4).replace(/./g, '$&$&') : hex.slice(1, 7)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128
}
