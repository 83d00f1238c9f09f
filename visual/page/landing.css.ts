/** Rules of the landing page beside the sheet (V58). */
export const landingStyles = `
h1{font-size:clamp(1.75rem,1.1rem + 2.4vw,2.5rem);line-height:1.2}
body>header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline}
.hero{display:grid;grid-template-columns:minmax(0,1fr);gap:2rem}
.call{margin-top:1.25rem}
.call ol{margin-top:.25rem;padding-left:1.25rem}
.call li::marker{color:var(--quiet)}
.call pre{white-space:pre-wrap;overflow-wrap:anywhere}
.more{margin-top:2.5rem;padding-top:.75rem;border-top:2px solid var(--text)}
.more>p{margin-top:.25rem;max-width:46rem}
.more h3{margin-top:1.25rem}
.prices{margin-top:1.5rem;font-size:.875rem}
.prices caption{color:var(--text);font-size:1rem;font-weight:600}
.prices tr{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:1rem;padding:.375rem 0;border-top:1px solid var(--line)}
.prices thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.prices th,.prices td{display:block;padding:0;border:0}
.prices tbody th{grid-column:1/-1}
.three{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem 2rem;margin-top:.75rem}
.three h3{margin:0}
@media (min-width:48rem){
.three{grid-template-columns:repeat(3,minmax(0,1fr))}
.prices,.prices caption{display:table;width:100%}
.prices caption{display:table-caption}
.prices thead{position:static;width:auto;height:auto;clip-path:none;display:table-header-group}
.prices tbody{display:table-row-group}
.prices tr{display:table-row}
.prices th,.prices td{display:table-cell;padding:.375rem 1rem .375rem 0;border-top:1px solid var(--line)}
.prices thead th{border-top:0}
.prices th:first-child{width:46%}
.prices tr>:last-child{width:7rem;padding-right:0}
}
@media (min-width:64rem){
.hero{grid-template-columns:minmax(0,10fr) minmax(0,7fr);gap:3rem}
.hero .card{margin-top:.5rem}
}
@media print{
.hero{grid-template-columns:minmax(0,1fr);gap:1.5rem}
.hero .card>svg{max-width:26rem}
h1{font-size:18pt}
.lede{font-size:11.5pt}
}
`;
