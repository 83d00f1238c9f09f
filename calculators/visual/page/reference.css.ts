/** Rules of the reference page beside the sheet (V59). */
export const referenceStyles = `
body>header h1{margin-top:1rem}
body>header .measure{margin-top:.5rem}
body>main{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem}
.contents summary{font-weight:600}
.contents ul{padding:0;list-style:none;font-size:.875rem}
.contents li{padding:.125rem 0}
@media screen and (max-width:47.99rem),screen and (pointer:coarse){.contents li{padding:0}}
.contents h2{margin-top:.75rem;font-size:.875rem}
.group{margin-top:2.5rem;padding-top:.75rem;border-top:2px solid var(--text)}
.group>h2{font-size:1.375rem}
.group>p{margin-top:.25rem}
.rows :is(th,td){overflow-wrap:anywhere}
.route{margin-top:2rem;padding-top:.75rem;border-top:1px solid var(--line)}
.route h3{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem;font-size:1rem}
.route h3 code{font-size:.9375rem}
.route>p{margin-top:.25rem}
.route details{margin-top:.75rem}
.route pre{max-height:32rem;overflow:auto}
.terms{table-layout:fixed}
.terms code{font-size:.75rem}
.terms th:first-child{width:34%}
.terms td{overflow-wrap:anywhere}
@media (max-width:47.99rem){
.terms,.terms caption,.terms tbody,.terms tr,.terms td,.terms tbody th{display:block}
.terms thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.terms tr{padding:.375rem 0;border-top:1px solid var(--line)}
.terms td,.terms tbody th,.terms th:first-child{width:auto;padding:0;border:0}
.terms td:not(:last-child){display:inline;margin-right:.75rem;color:var(--quiet)}
.terms td:not(:last-child)::before{content:attr(data-label) " "}
}
@media (min-width:48rem){
.terms th:nth-child(2){width:16%}
.terms th:nth-child(3){width:9%}
.terms th:nth-child(4){width:7%}
.parameters .terms th:first-child{width:22%}
.parameters .terms th:nth-child(2){width:14%}
.parameters .terms th:nth-child(3){width:24%}
.parameters .terms th:nth-child(4){width:auto}
}
@media (min-width:64rem){
body>main{grid-template-columns:18rem minmax(0,1fr);gap:2.5rem}
.contents{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:1rem 0}
.contents summary{list-style:none;pointer-events:none}
.contents details::details-content{content-visibility:visible;block-size:auto}
.contents{overflow-wrap:normal}
.texts>*{max-width:46rem}
}
@media print{
body>main{display:block}
.contents details::details-content{columns:3;column-gap:1.25rem}
:is(.contents ul,.contents li){font-size:8pt}
.contents h2{font-size:8.5pt;break-after:avoid}
.contents h2:first-child{margin-top:0}
body{font-size:9pt;line-height:1.4}
.lede{font-size:10.5pt}
.group>h2{font-size:14pt}
.route{margin-top:1.25rem}
:is(.route h3,.route h3 code){font-size:9.5pt}
.route details{margin-top:.5rem}
.route pre{margin-top:.5rem;padding:.5rem;font-size:7.5pt;line-height:1.35}
pre code{font-size:inherit}
:is(.terms,.group>.rows){margin-top:.25rem;font-size:7.5pt;line-height:1.25}
.terms code{font-size:7pt}
.terms :is(th,td){padding:.1rem .375rem .1rem 0}
.group{break-before:page;border-top:0}
.route h3,.route>p{break-after:avoid}
.route pre{max-height:none;break-inside:auto}
}
`;
