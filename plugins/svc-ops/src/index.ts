/** svc-ops */
export {}
