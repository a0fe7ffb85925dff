/** Where the admin routes of this package lie: in the built-in zone of `/svc/`, where the application keeps accounts. */
export const OPS_API = '/svc/ops/api'
