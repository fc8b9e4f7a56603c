"""The engine's functions, from its operator table. Generated; do not edit:
`go test ./capture/python/builtin -run TestNamesAreThoseOfTheTable -update` writes it."""

NAMES = {
    "Tensor": """
        __abs__ __add__ __and__ __bool__ __contains__ __copy__ __deepcopy__ __div__ __eq__ __float__
        __floordiv__ __format__ __ge__ __getitem__ __gt__ __iabs__ __iadd__ __iand__ __idiv__ __ieq__
        __ifloordiv__ __ige__ __igt__ __ile__ __ilshift__ __ilt__ __imod__ __imul__ __index__ __ine__
        __ineg__ __int__ __invert__ __ior__ __ipow__ __iradd__ __irand__ __irmul__ __iror__
        __irshift__ __irxor__ __isub__ __iter__ __itruediv__ __ixor__ __le__ __len__ __lshift__
        __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __or__ __pos__ __pow__ __radd__ __rand__
        __rdiv__ __repr__ __rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__ __ror__ __rpow__
        __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __setitem__ __sub__ __truediv__ __xor__
        _foreach_add_ _foreach_mul_ _is_view abs abs_ absolute absolute_ acos acos_ acosh acosh_ add
        add_ addbmm addbmm_ addcdiv addcdiv_ addcmul addcmul_ addmm addmm_ addmv addmv_ addr addr_
        adjoint alias all allclose amax amin aminmax angle any arccos arccos_ arccosh arccosh_ arcsin
        arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_ arctanh arctanh_ argmax argmin
        argsort argwhere as_strided as_strided_ as_strided_scatter asin asin_ asinh asinh_ atan atan2
        atan2_ atan_ atanh atanh_ atleast_1d atleast_2d atleast_3d backward baddbmm baddbmm_
        bernoulli bernoulli_ bfloat16 bincount bitwise_and bitwise_and_ bitwise_left_shift
        bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or bitwise_or_ bitwise_right_shift
        bitwise_right_shift_ bitwise_xor bitwise_xor_ bmm bool broadcast_to bucketize byte cauchy_
        ceil ceil_ char cholesky cholesky_inverse cholesky_solve chunk clamp clamp_ clamp_max
        clamp_max_ clamp_min clamp_min_ clip clip_ clone conj conj_physical contiguous copy_ copysign
        copysign_ corrcoef cos cos_ cosh cosh_ count_nonzero cov cpu cross cummax cummin cumprod
        cumprod_ cumsum cumsum_ deg2rad deg2rad_ det detach detach_ diag diag_embed diagflat diagonal
        diagonal_scatter diff digamma digamma_ dim dist div div_ divide divide_ dot double dsplit
        element_size eq eq_ equal erf erf_ erfc erfc_ erfinv erfinv_ exp exp2 exp2_ exp_ expand
        expand_as expm1 expm1_ exponential_ fill fill_ fill_diagonal_ fix fix_ flatten flip fliplr
        flipud float float_power float_power_ floor floor_ floor_divide floor_divide_ fmax fmin fmod
        fmod_ frac frac_ frexp gather gcd gcd_ ge ge_ geometric_ geqrf ger greater greater_
        greater_equal greater_equal_ gt gt_ half hardshrink heaviside heaviside_ histc histogram
        hsplit hypot hypot_ i0 i0_ igamma igammac index_add index_add_ index_copy index_copy_
        index_fill index_fill_ index_put index_put_ index_reduce index_reduce_ index_select inner int
        inverse is_contiguous is_floating_point is_inference is_nonzero is_same_size isclose isfinite
        isinf isnan isneginf isposinf isreal item kron kthvalue lcm lcm_ ldexp ldexp_ le le_ lerp
        lerp_ less less_ less_equal less_equal_ lgamma lgamma_ log log10 log10_ log1p log1p_ log2
        log2_ log_ log_normal_ log_softmax logaddexp logaddexp2 logcumsumexp logdet logical_and
        logical_and_ logical_not logical_not_ logical_or logical_or_ logical_xor logical_xor_ logit
        logit_ logsumexp long lt lt_ lu_solve masked_fill masked_fill_ masked_scatter masked_scatter_
        masked_select matmul matrix_exp matrix_power max maximum mean median min minimum mm mode
        moveaxis movedim msort mul mul_ multinomial multiply multiply_ mv mvlgamma mvlgamma_
        nan_to_num nan_to_num_ nanmean nanmedian nanquantile nansum narrow ndimension ne ne_ neg neg_
        negative negative_ nelement new_empty new_full new_ones new_tensor new_zeros nextafter
        nextafter_ nonzero nonzero_numpy nonzero_static norm normal_ not_equal not_equal_ numel numpy
        orgqr ormqr outer permute pinverse polygamma polygamma_ positive pow pow_ prelu prod put put_
        qr quantile rad2deg rad2deg_ random_ ravel reciprocal reciprocal_ register_hook
        register_post_accumulate_grad_hook relu relu_ remainder remainder_ renorm renorm_ repeat
        repeat_interleave requires_grad_ reshape reshape_as resize_ resize_as_ resolve_conj
        resolve_neg retain_grad roll rot90 round round_ rsqrt rsqrt_ scatter scatter_ scatter_add
        scatter_add_ scatter_reduce scatter_reduce_ select select_scatter set_ sgn sgn_ short sigmoid
        sigmoid_ sign sign_ signbit sin sin_ sinc sinc_ sinh sinh_ size slice_scatter slogdet softmax
        sort split split_with_sizes sqrt sqrt_ square square_ squeeze squeeze_ std std_mean
        storage_offset stride sub sub_ subtract subtract_ sum sum_to_size svd swapaxes swapaxes_
        swapdims swapdims_ t t_ take take_along_dim tan tan_ tanh tanh_ tensor_split tile to tolist
        topk trace transpose transpose_ triangular_solve tril tril_ triu triu_ true_divide
        true_divide_ trunc trunc_ type type_as unbind unflatten unfold uniform_ unique
        unique_consecutive unsafe_chunk unsafe_split unsafe_split_with_sizes unsqueeze unsqueeze_ var
        var_mean vdot view view_as vsplit where xlogy xlogy_ zero_
    """,
    "get": """
        H T _base _version data device dtype grad grad_fn imag is_cpu is_cuda is_leaf is_sparse
        itemsize mH mT name nbytes ndim numpy_T output_nr real requires_grad retains_grad shape
    """,
    "torch": """
        BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor
        LongTensor ShortTensor Tensor __abs__ __add__ __and__ __div__ __eq__ __floordiv__ __ge__
        __gt__ __iabs__ __iadd__ __iand__ __idiv__ __ieq__ __ifloordiv__ __ige__ __igt__ __ile__
        __ilshift__ __ilt__ __imod__ __imul__ __ine__ __ineg__ __invert__ __ior__ __ipow__ __iradd__
        __irand__ __irmul__ __iror__ __irshift__ __irxor__ __isub__ __itruediv__ __ixor__ __le__
        __lshift__ __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __or__ __pos__ __pow__ __radd__
        __rand__ __rdiv__ __rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__ __ror__ __rpow__
        __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __sub__ __truediv__ __xor__
        _dirichlet_grad _foreach_add_ _foreach_mul_ _lu_with_info _pack_padded_sequence
        _sample_dirichlet _standard_gamma _standard_gamma_grad _weight_norm _weight_norm_interface
        abs abs_ absolute absolute_ acos acos_ acosh acosh_ adaptive_avg_pool1d adaptive_max_pool1d
        add add_ addbmm addbmm_ addcdiv addcdiv_ addcmul addcmul_ addmm addmm_ addmv addmv_ addr
        addr_ adjoint affine_grid_generator alias alias_copy all allclose alpha_dropout
        alpha_dropout_ amax amin aminmax angle any arange arccos arccos_ arccosh arccosh_ arcsin
        arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_ arctan_ arctanh arctanh_ argmax argmin
        argsort argwhere as_strided as_strided_ as_strided_copy as_strided_scatter as_tensor asarray
        asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ atleast_1d atleast_2d atleast_3d
        avg_pool1d baddbmm baddbmm_ bartlett_window batch_norm bernoulli bilinear
        binary_cross_entropy_with_logits bincount binomial bitwise_and bitwise_and_
        bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or bitwise_or_
        bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ blackman_window block_diag
        bmm broadcast_tensors broadcast_to bucketize can_cast cartesian_prod cat cdist ceil ceil_
        celu celu_ chain_matmul channel_shuffle cholesky cholesky_inverse cholesky_solve chunk clamp
        clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ clone column_stack combinations
        concat concatenate conj conj_physical constant_pad_nd conv1d conv2d conv3d conv_transpose1d
        conv_transpose2d conv_transpose3d convolution copy_ copysign copysign_ corrcoef cos cos_ cosh
        cosh_ cosine_embedding_loss cosine_similarity count_nonzero cov cross ctc_loss cummax cummin
        cumprod cumprod_ cumsum cumsum_ cumulative_trapezoid deg2rad deg2rad_ det detach diag
        diag_embed diagflat diagonal diagonal_copy diagonal_scatter diff digamma digamma_ dist div
        div_ divide divide_ dot dropout dropout_ dsplit dstack einsum embedding embedding_renorm_
        empty empty_like empty_strided eq eq_ equal erf erf_ erfc erfc_ erfinv erfinv_ exp exp2 exp2_
        exp_ expand_copy expm1 expm1_ eye feature_alpha_dropout feature_alpha_dropout_
        feature_dropout feature_dropout_ fill fill_ fix fix_ flatten flip fliplr flipud float_power
        floor floor_ floor_divide floor_divide_ fmax fmin fmod fmod_ frac frac_ frexp full full_like
        gather gcd gcd_ ge ge_ geqrf ger get_default_dtype greater greater_ greater_equal
        greater_equal_ grid_sampler grid_sampler_2d grid_sampler_3d group_norm gt gt_ hamming_window
        hann_window hardshrink heaviside heaviside_ hinge_embedding_loss histc histogram hsplit
        hstack hypot hypot_ i0 i0_ igamma igammac imag index_add index_add_ index_copy index_copy_
        index_fill index_fill_ index_put index_put_ index_reduce index_reduce_ index_select inner
        instance_norm inverse is_floating_point is_grad_enabled is_nonzero is_same_size is_tensor
        isclose isfinite isin isinf isnan isneginf isposinf isreal kaiser_window kl_div kron kthvalue
        layer_norm lcm lcm_ ldexp ldexp_ le le_ lerp lerp_ less less_ less_equal less_equal_ lgamma
        lgamma_ linspace log log10 log10_ log1p log1p_ log2 log2_ log_ log_softmax logaddexp
        logaddexp2 logcumsumexp logdet logical_and logical_and_ logical_not logical_not_ logical_or
        logical_or_ logical_xor logical_xor_ logit logit_ logspace logsumexp lt lt_ lu_solve
        lu_unpack manual_seed margin_ranking_loss masked_fill masked_fill_ masked_scatter
        masked_scatter_ masked_select matmul matrix_exp matrix_power max max_pool1d
        max_pool1d_with_indices max_pool2d max_pool3d maximum mean median meshgrid min minimum
        mkldnn_rnn_layer mm mode moveaxis movedim msort mul mul_ multinomial multiply multiply_ mv
        mvlgamma mvlgamma_ nan_to_num nan_to_num_ nanmean nanmedian nanquantile nansum narrow
        native_layer_norm ne ne_ neg neg_ negative negative_ nextafter nextafter_
        nn_functional_cosine_similarity nn_functional_pairwise_distance nn_functional_pdist nonzero
        nonzero_numpy nonzero_static norm norm_except_dim normal not_equal not_equal_ numel ones
        ones_like orgqr ormqr outer pairwise_distance pdist permute permute_copy pinverse
        pixel_shuffle pixel_unshuffle poisson poisson_nll_loss polygamma positive pow pow_ prelu prod
        promote_types qr quantile rad2deg rad2deg_ rand rand_like randint randint_like randn
        randn_like randperm range ravel real reciprocal reciprocal_ relu relu_ remainder remainder_
        renorm renorm_ repeat_interleave reshape resize_as_ resolve_conj resolve_neg result_type
        rms_norm roll rot90 round round_ row_stack rrelu rrelu_ rsqrt rsqrt_ rsub scalar_tensor
        scatter scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_ searchsorted select
        select_copy select_scatter selu selu_ sgn sgn_ sigmoid sigmoid_ sign sign_ signbit sin sin_
        sinc sinc_ sinh sinh_ slice_scatter slogdet softmax sort split split_copy split_with_sizes
        split_with_sizes_copy sqrt sqrt_ square square_ squeeze squeeze_ squeeze_copy stack std
        std_mean sub sub_ subtract subtract_ sum svd swapaxes swapaxes_ swapdims swapdims_ t t_
        t_copy take take_along_dim tan tan_ tanh tanh_ tensor tensor_split tensordot threshold
        threshold_ tile topk trace transpose transpose_ transpose_copy trapezoid trapz
        triangular_solve tril tril_ tril_indices triplet_margin_loss triu triu_ triu_indices
        true_divide true_divide_ trunc trunc_ unbind unbind_copy unflatten unfold_copy unique
        unique_consecutive unsafe_chunk unsafe_split unsafe_split_with_sizes unsqueeze unsqueeze_
        unsqueeze_copy vander var var_mean vdot view_copy vsplit vstack where xlogy xlogy_ zeros
        zeros_like
    """,
    "torch.autograd": """
        backward grad
    """,
    "torch.copy": """
        copy deepcopy
    """,
    "torch.linalg": """
        cholesky cholesky_ex cross det diagonal eigh eigvalsh householder_product inv inv_ex lstsq lu
        lu_factor lu_factor_ex lu_solve matrix_exp matrix_norm matrix_power matrix_rank multi_dot
        norm pinv qr slogdet solve solve_ex solve_triangular svd svdvals vecdot vector_norm
    """,
    "torch.nn": """
        Parameter
    """,
    "torch.nn.functional": """
        adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
        adaptive_max_pool2d adaptive_max_pool3d affine_grid alpha_dropout avg_pool1d avg_pool2d
        avg_pool3d batch_norm bilinear binary_cross_entropy binary_cross_entropy_with_logits celu
        channel_shuffle conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d
        cosine_embedding_loss cross_entropy ctc_loss dropout dropout1d dropout2d dropout3d elu
        embedding embedding_bag feature_alpha_dropout fold gaussian_nll_loss gelu gelu_ glu
        grid_sample group_norm hardsigmoid hardswish hardtanh hinge_embedding_loss huber_loss
        instance_norm interpolate kl_div l1_loss layer_norm leaky_relu linear local_response_norm
        log_softmax logsigmoid lp_pool1d lp_pool2d lp_pool3d margin_ranking_loss max_pool1d
        max_pool1d_with_indices max_pool2d max_pool2d_with_indices max_pool3d max_pool3d_with_indices
        max_unpool1d max_unpool2d max_unpool3d mish mse_loss multi_margin_loss multilabel_margin_loss
        multilabel_soft_margin_loss nll_loss normalize one_hot pad pixel_shuffle pixel_unshuffle
        poisson_nll_loss prelu relu relu6 rms_norm rrelu scaled_dot_product_attention selu sigmoid
        silu smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign tanh
        tanhshrink threshold triplet_margin_loss unfold
    """,
    "torch.special": """
        airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 chebyshev_polynomial_t chebyshev_polynomial_u
        chebyshev_polynomial_v chebyshev_polynomial_w digamma digamma_ entr erf erf_ erfc erfc_ erfcx
        erfinv erfinv_ exp2 exp2_ expit expit_ expm1 expm1_ gammainc gammaincc gammaln gammaln_
        hermite_polynomial_h hermite_polynomial_he i0 i0_ i0e i1 i1e laguerre_polynomial_l
        legendre_polynomial_p log1p log1p_ log_ndtr log_softmax logit logit_ logsumexp
        modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1 multigammaln
        multigammaln_ ndtr ndtri polygamma psi psi_ round scaled_modified_bessel_k0
        scaled_modified_bessel_k1 shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u
        shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w sinc sinc_ softmax
        spherical_bessel_j0 xlog1py xlogy xlogy_ zeta
    """,
}
