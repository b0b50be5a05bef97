# Reads draws with cmdstanr and posterior: Rscript read.R nuts.csv dp.csv
for (path in commandArgs(trailingOnly = TRUE)) {
  fit <- cmdstanr::read_cmdstan_csv(path)
  cat(path, "\n")
  print(posterior::summarise_draws(fit$post_warmup_draws, "mean", "sd", "quantile2"))
}
