/** svc-sqlorm */
export {}
